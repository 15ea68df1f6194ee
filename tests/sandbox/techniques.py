"""How learners' code may attack a grader, by what it is after; and for each way what shows that it does not work.

A name is a program in hostile/, run by test_hostile with the outcome that stands there. What has a slash is a file
beneath tests/, with a test of it after "::".
"""

from __future__ import annotations

FORGERY, ISOLATION = "sandbox/test_forgery.py", "sandbox/test_isolation.py"
CHEATS, SIBLINGS, USAGE = "sandbox/test_cheats.py", "sandbox/test_siblings.py", "sandbox/test_usage.py"
JUDGING, VERDICTS = "grader/test_judging.py", "verdicts/attention"

TECHNIQUES: dict[str, dict[str, tuple[str, ...]]] = {
    "escape": {
        "a symbolic link where the trusted side writes or reads": ("symlink", "links_and_owners"),
        "a privileged change of owner of it": ("links_and_owners",),
        "a request to an internal service": ("asks_a_service", "torch_downloads", f"{ISOLATION}::test_no_network"),
        "the host's disk, mounted": ("mounts_a_disk",),
        "shell text in a job's parameter": (f"{SIBLINGS}::test_words_of_a_job_are_words_wherever_they_stand",),
        "the import stage outside the jail": ("attacks_at_import", "infinite_loop_at_import", "exit_at_import"),
        "TIOCSTI into a terminal": ("types_into_a_terminal", "sandbox/test_seccomp.py::test_answers"),
        "overwriting the runtime's binary": ("overwrites_the_interpreter", "poison_files"),
        "unmounting masks": ("unmounts_the_masks", f"{ISOLATION}::test_no_capability"),
        "nested user namespaces": ("nests_namespaces",),
        "io_uring": ("io_uring",),
        "bpf": ("bpf",),
        "userfaultfd": ("userfaultfd",),
        "perf": ("perf_events",),
        "keyctl": ("keyrings",),
        "ptrace": ("traces", f"{ISOLATION}::test_no_dangerous_system_call"),
        "process_vm": ("reads_other_memory",),
    },
    "exhaustion": {
        "a fork bomb": ("fork_bomb", "fork_by_system_call", "torch_starts_a_process", "torch_spawns_a_process"),
        "a thread bomb": ("thread_bomb", "torch_threads"),
        "a huge array": ("huge_array", "small_objects", "memory_kept", "torch_huge_tensor", "torch_huge_expanded"),
        "a shared mapping past RLIMIT_DATA": ("shared_mapping",),
        "a memfd past RLIMIT_AS": ("memfd",),
        "a tmpfs past RLIMIT_AS": ("fill_tmp", "fill_tmp_with_names"),
        "leftovers in /dev/shm": ("shm_leftovers", "shared_memory", "torch_shares_memory"),
        "a busy loop": ("infinite_loop", "swallows_everything", "signal_handlers", "cpu_limit_of_its_own"),
        "sleep": ("sleep", "closes_channel_and_waits", "drips"),
        "endless output": ("output_flood", "raw_output_flood"),
        "never reading input, so that the grader blocks in its write": ("never_reads",),
        "a hostile header of an array": ("huge_shape", "huge_header", "huge_body", "broadcast_result", "deep_json"),
        "signals that wait in the kernel's memory": ("queues_signals",),
        "folders that cannot be removed": ("undeletable_folders",),
        "kill(0)": ("kill_group", "kill_all", "kill_parent", "kills_itself", "kills_itself_in_a_fault"),
        "a native crash": ("native_crash", "abort", "unlimited_recursion", "torch_broken_memory"),
    },
    "forgery": {
        "overloading __eq__": ("equals_everything", f"{VERDICTS}/object_that_equals_everything.py"),
        "overloading __array_ufunc__": ("overloads_arrays", f"{VERDICTS}/subclass_that_equals_everything.py"),
        "overloading __array__": ("overloads_arrays", f"{FORGERY}::test_values_are_compared_by_nobody_in_the_session"),
        "a subclass of arrays": ("array_subclass", f"{VERDICTS}/masked_array.py", f"{VERDICTS}/matrix.py"),
        "a subclass of tensors": (
            "torch_tensor_subclass",
            "sandbox/test_tensors.py::test_what_is_no_plain_tensor_is_called_by_its_name",
        ),
        "NaN against a > test": (
            f"{VERDICTS}/all_nan.py",
            f"{VERDICTS}/one_nan.py",
            "grader/test_checks.py::test_nan_never_passes",
        ),
        "an empty result, broadcast": (f"{VERDICTS}/empty_arrays.py",),
        "a scalar, broadcast": (f"{VERDICTS}/scalars_to_broadcast.py", f"{VERDICTS}/one_row_to_broadcast.py"),
        "a patched allclose": ("poison_numpy", "torch_poisons", f"{VERDICTS}/patches_the_comparison.py"),
        "patched timers": ("patched_clock",),
        "a patched json": ("poison_json",),
        "a patched sys.exit": ("patched_exits", "patched_builtins"),
        "exit status 0 without a result": ("os_exit", "sys_exit", "error_that_exits", f"{VERDICTS}/os_exit.py"),
        "atexit": ("atexit_frame",),
        "writing to every open descriptor": (
            "writes_everywhere",
            f"{FORGERY}::test_frames_on_every_descriptor_answer_no_other_call",
            f"{VERDICTS}/writes_over_the_answer.py",
        ),
        "a second frame, which answers the next case": (
            f"{FORGERY}::test_a_second_frame_does_not_answer_the_next_call",
            f"{FORGERY}::test_a_frame_for_a_call_not_made_is_garbled",
        ),
        "used memory of a freed reference": (
            "uninitialised_memory",
            "torch_uninitialised_memory",
            f"{CHEATS}::test_no_reference_lies_in_memory_that_was_never_written",
        ),
        "inputs changed before the reference sees them": (
            f"{VERDICTS}/changes_its_inputs.py",
            f"{VERDICTS}/its_own_inputs.py",
        ),
        "constants for fixed inputs": (
            f"{CHEATS}::test_constants_are_right_for_the_case_that_was_shown_and_no_other",
            f"{VERDICTS}/zeros.py",
        ),
        "lower precision inside a loose tolerance": (
            f"{VERDICTS}/single_precision_inside.py",
            f"{VERDICTS}/half_precision_inside.py",
        ),
    },
    "leaks": {
        "gc, for references or seeds": (
            "tells_all",
            f"{ISOLATION}::test_no_secret_of_the_worker_or_of_another_session",
        ),
        "frames": ("tells_all", f"{ISOLATION}::test_no_secret_of_the_worker_or_of_another_session"),
        "sys.modules": ("tells_all", f"{ISOLATION}::test_no_module_of_ours"),
        "the environment": ("tells_all", f"{ISOLATION}::test_no_environment_but_the_jails"),
        "hidden inputs, printed": (
            f"{JUDGING}::test_only_what_loading_and_shown_calls_print_is_kept",
            f"{JUDGING}::test_nothing_of_a_hidden_input_is_told_of_a_hidden_check",
        ),
        "hidden inputs in a traceback": (
            f"{JUDGING}::test_nothing_of_a_hidden_input_is_told_of_a_hidden_check",
            f"{JUDGING}::test_only_lines_of_the_source_are_believed",
            f"{VERDICTS}/own_exception.py",
        ),
        "a sibling's pipe": (
            "reads_every_descriptor",
            f"{SIBLINGS}::test_nobody_hears_or_answers_a_sibling",
            f"{ISOLATION}::test_no_descriptor_but_its_own",
        ),
        "a lock that a sibling wakes": ("wakes_shared_locks",),
        "/proc of others": ("reads_proc", f"{ISOLATION}::test_no_other_process"),
        "files of tests": ("reads_the_workers_files", f"{ISOLATION}::test_no_file_but_the_guest_and_three_devices"),
        "one bit at a time, by verdict, time or class of error": (
            f"{CHEATS}::test_a_bit_that_a_verdict_tells_is_of_inputs_that_never_come_again",
            "grader/test_services.py::test_seeds_are_of_63_bits_and_differ",
            f"{JUDGING}::test_no_hidden_input_is_told_by_the_shape_of_a_result",
        ),
        "inherited random state": (
            "reseeds",
            f"{SIBLINGS}::test_random_state_is_neither_a_siblings_nor_an_earlier_ones",
            f"{ISOLATION}::test_hash_and_random_state_are_the_same_in_every_session_and_jail",
            "sandbox/test_tensors.py::test_random_state_is_the_same_in_every_session",
        ),
    },
    "time and memory": {
        "a patched clock": ("patched_clock",),
        "work left to a thread in the background": (
            "background_thread",
            f"{CHEATS}::test_work_that_a_thread_does_later_comes_too_late",
            f"{USAGE}::test_time_is_the_processors_and_of_all_threads",
        ),
        "results that are computed when looked at": (
            "endless_sequence",
            f"{CHEATS}::test_what_would_be_computed_when_it_is_looked_at_is_no_array",
        ),
        "a cache by id": (f"{CHEATS}::test_an_address_says_nothing_of_what_is_there",),
        "a cache by pointer": (f"{CHEATS}::test_an_address_says_nothing_of_what_is_there",),
        "a cache by fingerprint": (
            f"{CHEATS}::test_what_is_known_again_by_too_little_is_wrong",
            "grader/test_measured_checks.py::test_each_measurement_has_a_session_of_its_own_with_little_room_for_files",
        ),
        "right for the first calls only": (
            f"{VERDICTS}/right_for_the_first_call_only.py",
            f"{VERDICTS}/gone_after_the_first_call.py",
        ),
        "memory in a mapping": (f"{USAGE}::test_eight_megabytes_more_show_wherever_they_are", "shared_mapping"),
        "memory in a memfd": ("memfd", f"{USAGE}::test_no_one_in_the_session_can_lower_it"),
        "memory in another process": ("fork_by_system_call", "runs_a_program", "daemon"),
    },
    "contamination": {
        "a shared root that can be written to": (
            "poison_files",
            f"{ISOLATION}::test_no_shared_place_to_write_or_to_lock",
        ),
        "a poisoned __pycache__": ("poisons_bytecode",),
        "a daemon that survives": ("daemon", "background_thread"),
        "System V's shared memory": ("sysv_ipc",),
        "abstract sockets": ("abstract_socket",),
        "reading the next job's request": (
            "reads_the_next_request",
            f"{SIBLINGS}::test_a_thread_that_waits_for_the_next_request_gets_none_but_its_own",
        ),
    },
    "confusion of ours": {
        "errors that cannot be put into words": ("speechless_error", "malformed_syntax_error", "recursion"),
        "errors of ours, raised by a learner": ("raises_memory_error", "raises_base_exception"),
        "sequences that lie": ("lying_sequence", "endless_sequence"),
        "a channel that is closed": ("closes_everything", "closes_channel_and_waits"),
        "a verdict or a fault, claimed": (
            f"{FORGERY}::test_a_session_cannot_claim_what_the_worker_finds",
            f"{FORGERY}::test_a_session_cannot_claim_a_fault_of_ours",
        ),
        "anything at all as a frame": ("sandbox/test_frames_fuzzed.py::test_any_header_is_a_sound_reply_or_refused",),
        "many at once": ("sandbox/test_many_sessions.py::test_twenty_at_once_half_of_them_hostile",),
    },
}
