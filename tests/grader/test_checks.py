"""Each kind of check: what it draws, what passes, what fails, what it says and what it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from attention_core.operations import OPERATIONS
from grader.checks import KINDS
from grader.checks.kind import CheckSpecError
from grader.checks.output_claims import OUTPUT_PROPERTIES
from grader.checks.properties import PROPERTIES
from grader.judging import make_plans
from grader.verdicts import CheckSpec, Job, Status, Visibility
from tests.grader.judged import judged, one_check
from tests.verdicts.exercise import check, exercise

SHOWN, HIDDEN = Visibility.SHOWN, Visibility.HIDDEN
REFERENCES = [(name, operation.reference) for name, operation in OPERATIONS.items()]


def every_check(name: str, visibility: Visibility = SHOWN) -> list[CheckSpec]:
    return [
        check("worked", visibility),
        check("random", visibility, cases=3),
        check("unchanged", visibility),
        *(check("extreme", visibility, case=case) for case in OPERATIONS[name].extremes),
        *(check("property", visibility, property=each) for each in PROPERTIES[name]),
    ]


def arguments_of(operation: str, one: CheckSpec, seed: int = 1) -> list[dict[str, Any]]:
    (plan,) = make_plans(Job(exercise(operation, one), b"", seed), OPERATIONS[operation])
    return [dict(case.arguments) for case in plan.cases]


# ---- Right answers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1, -5])
@pytest.mark.parametrize(("name", "reference"), REFERENCES, ids=list(OPERATIONS))
def test_the_reference_passes_every_check(name: str, reference: Callable[..., Any], seed: int) -> None:
    report = judged(reference, exercise(name, *every_check(name)), seed=seed)
    assert [one.message for one in report.checks if one.status is not Status.PASSED] == []
    assert report.points == report.max_points


def test_every_operation_has_properties() -> None:
    assert set(PROPERTIES) == set(OPERATIONS)


# ---- Cases ----------------------------------------------------------------------------------------------------------


def test_the_same_seed_and_id_draw_the_same_cases() -> None:
    one = check("random", HIDDEN, cases=2)
    first, again, other = (arguments_of("attention", one, seed) for seed in (5, 5, 6))
    np.testing.assert_equal(first, again)
    assert not np.array_equal(first[0]["Q"], other[0]["Q"])
    assert not np.array_equal(first[0]["Q"], first[1]["Q"])
    assert not np.array_equal(first[0]["Q"], arguments_of("attention", check("random", SHOWN, cases=2), 5)[0]["Q"])


def test_a_further_check_changes_no_others_cases() -> None:
    one = check("random", HIDDEN, cases=1)
    alone = make_plans(Job(exercise("attention", one), b"", 5), OPERATIONS["attention"])
    beside = make_plans(Job(exercise("attention", check("worked", SHOWN), one), b"", 5), OPERATIONS["attention"])
    assert alone[0].cases[0].call == beside[1].cases[0].call


def test_sizes_and_scale_are_as_asked() -> None:
    one = check("random", HIDDEN, cases=1, scale=100.0, sizes={"Tq": 2, "d": 11})
    (drawn,) = arguments_of("attention", one)
    assert [drawn[name].shape for name in "QKV"] == [(2, 11), (7, 11), (7, 2)]
    assert np.abs(drawn["Q"]).max() > 30


def test_inputs_are_drawn_evenly_where_it_is_asked_for() -> None:
    (drawn,) = arguments_of("attention", check("random", HIDDEN, low=-0.1, high=0.3, sizes={"Tk": 97}))
    for array in drawn.values():
        assert -0.1 <= array.min() < array.max() <= 0.3
    assert drawn["K"].mean() == pytest.approx(0.1, abs=0.03)


def test_flags_and_numbers_among_the_arguments_are_as_asked() -> None:
    (drawn,) = arguments_of("tiled-attention", check("random", HIDDEN, causal=True, block_size=4))
    assert (drawn["causal"], drawn["block_size"]) == (True, 4)
    (plain,) = arguments_of("tiled-attention", check("random", HIDDEN))
    assert (plain["causal"], plain["block_size"]) == (False, 5)


@pytest.mark.parametrize(
    ("operation", "one", "sentence"),
    [
        ("attention", check("random", SHOWN, low=-0.1), "with: high` is None"),
        ("attention", check("random", SHOWN, dtype="float32"), "attention takes arrays, which have neither"),
        ("attention", check("precision", SHOWN, dtype="float32"), "attention takes arrays, which have neither"),
        ("attention", check("gradient", SHOWN), "attention has no gradients"),
        ("attention", check("device", SHOWN), "arrays, which attention takes, have no device"),
        ("attention", check("memory", SHOWN, tokens=[8, 16], block_size=1), "attention has no size 'T'"),
        ("tiled-attention", check("random", SHOWN, causal=1), "with: causal` is 1"),
        ("tiled-attention", check("memory", SHOWN, tokens=[16, 8], block_size=1), "two rising numbers"),
        ("tiled-attention", check("memory", SHOWN, tokens=[8, 384], block_size=3), "block_size` must be 1 to"),
        ("tiled-attention", check("step-time", SHOWN, tokens=[8, 16]), "it takes steps"),
        ("kv-cache", check("step-time", SHOWN, tokens=[8, 17]), "the second is twice the first"),
        ("torch-attention", check("precision", SHOWN), "must be a lower precision"),
        ("torch-attention", check("random", SHOWN, dtype="float8"), "got 'float8'"),
        ("torch-attention", check("property", SHOWN, property="keys-permuted", dtype="float32"), "exact enough"),
    ],
)
def test_a_kind_that_does_not_fit_the_operation_is_not_the_learners_fault(
    operation: str, one: CheckSpec, sentence: str
) -> None:
    with pytest.raises(CheckSpecError, match="check ") as raised:
        one_check(OPERATIONS[operation].reference, operation, one)
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (check("random", SHOWN, cases=0), "must be 1 to 20"),
        (check("random", SHOWN, cases="three"), "with: cases` is 'three'"),
        (check("random", SHOWN, cases=True), "with: cases` is True"),
        (check("random", SHOWN, sizes={"T": 3}), "attention has no size 'T'; it has Tq, Tk, d, dv"),
        (check("random", SHOWN, sizes=[3]), "with: sizes` is"),
        (check("extreme", SHOWN, case="tiny"), "attention has no case 'tiny'; it has all-equal-scores, huge-scores"),
        (check("extreme", SHOWN), "with: case` is None"),
        (check("property", SHOWN, property="linear"), "attention has no property 'linear'; it has keys-permuted"),
        (check("astrology", SHOWN), "no kind 'astrology'; there are worked, random"),
    ],
)
def test_a_check_that_its_package_describes_wrongly_is_not_the_learners_fault(one: CheckSpec, sentence: str) -> None:
    with pytest.raises(CheckSpecError, match="check ") as raised:
        one_check(OPERATIONS["attention"].reference, "attention", one)
    assert sentence in str(raised.value)


# ---- Numbers --------------------------------------------------------------------------------------------------------


def attention_changed(change: Callable[[np.ndarray, np.ndarray], Any]) -> Callable[..., Any]:
    def attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Any:
        return change(*OPERATIONS["attention"].reference(Q, K, V))

    return attention


def bump(array: np.ndarray, index: tuple[int, ...], by: float) -> np.ndarray:
    bumped = array.copy()
    bumped[index] += by
    return bumped


@pytest.mark.parametrize("kind", ["worked", "random", "extreme"])
def test_the_first_difference_is_told_and_shown(kind: str) -> None:
    wrong = attention_changed(lambda output, weights: (output, bump(weights, (1, 2), 0.125)))
    one = check(kind, SHOWN, **({"case": "wide"} if kind == "extreme" else {}))
    (result,) = one_check(wrong, "attention", one).checks
    assert result.status is Status.FAILED
    assert result.message.startswith(f"{one.message} weights[1, 2] is ")
    assert "a difference of up to" in result.message
    assert result.case is not None
    difference = result.case["difference"]
    assert (difference["result"], difference["index"]) == ("weights", [1, 2])
    assert difference["got"] - difference["expected"] == pytest.approx(0.125, abs=1e-5)
    assert list(result.case["inputs"]) == ["Q", "K", "V"]
    assert list(result.case["expected"]) == list(result.case["got"]) == ["output", "weights"]


def test_a_hidden_check_tells_its_sentence_and_shows_nothing() -> None:
    wrong = attention_changed(lambda output, weights: (output, bump(weights, (1, 2), 0.125)))
    for visibility in (HIDDEN, Visibility.AFTER_PASSING):
        one = check("random", visibility, cases=2)
        (result,) = one_check(wrong, "attention", one).checks
        assert result.message == one.message
        assert result.case is None


def test_what_is_shown_after_passing_is_shown_once_all_passed() -> None:
    shown_later = check("extreme", Visibility.AFTER_PASSING, case="one-token")
    passed = judged(OPERATIONS["attention"].reference, exercise("attention", shown_later, check("worked", HIDDEN)))
    assert passed.checks[0].case is not None
    assert passed.checks[1].case is None
    wrong = attention_changed(lambda output, weights: (output, weights if weights.size == 7 else weights + 1))
    failed = judged(wrong, exercise("attention", shown_later, check("worked", HIDDEN)))
    assert [one.case for one in failed.checks] == [None, None]


def test_a_passing_shown_check_shows_its_case_too() -> None:
    (result,) = one_check(OPERATIONS["attention"].reference, "attention", check("worked", SHOWN)).checks
    assert result.message == ""
    assert result.case is not None
    assert result.case["difference"] is None
    assert result.case["expected"] == result.case["got"]


def test_large_arrays_are_shown_by_their_shape_and_infinities_as_text() -> None:
    (result,) = one_check(OPERATIONS["attention"].reference, "attention", check("extreme", SHOWN, case="wide")).checks
    assert result.case is not None
    assert result.case["inputs"]["Q"] == {"shape": [5, 251], "dtype": "float64"}
    infinite = check("extreme", SHOWN, case="minus-infinity")
    (result,) = one_check(OPERATIONS["softmax"].reference, "softmax", infinite).checks
    assert result.case is not None
    assert "-inf" in result.case["inputs"]["scores"][0]


def test_within_the_tolerance_is_right_and_beyond_is_not() -> None:
    near = attention_changed(lambda output, weights: (output * (1 + 5e-7), weights))
    far = attention_changed(lambda output, weights: (output * (1 + 3e-6), weights))
    assert one_check(near, "attention", check("worked", SHOWN)).passed
    assert not one_check(far, "attention", check("worked", SHOWN)).passed


def test_nan_never_passes() -> None:
    wrong = attention_changed(lambda output, weights: (output, bump(weights, (-1, -1), np.nan)))
    report = one_check(wrong, "attention", check("random", HIDDEN))
    assert report.mistakes == ("nan-result",)
    assert report.checks[0].message.endswith("weights holds NaN.")


def test_some_wrong_and_some_raising_is_wrong_and_only_raising_is_an_error() -> None:
    calls: list[int] = []

    def third_raises(Q: np.ndarray, K: np.ndarray, V: np.ndarray, *, wrong: bool) -> Any:
        calls.append(1)
        if len(calls) == 1:
            raise ValueError("no")
        output, weights = OPERATIONS["attention"].reference(Q, K, V)
        return output + wrong, weights

    one = check("random", SHOWN, cases=3)
    assert one_check(lambda Q, K, V: third_raises(Q, K, V, wrong=True), "attention", one).status is Status.FAILED
    calls.clear()
    assert one_check(lambda Q, K, V: third_raises(Q, K, V, wrong=False), "attention", one).status is Status.ERROR


# ---- Structure ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returned", "said", "mistakes"),
    [
        (None, "project returned None; expected three results (Q, K, V). Is a `return` missing?", ("not-an-array",)),
        (np.zeros((2, 4, 2)), "an array of shape (2, 4, 2); expected three results", ()),
        ((np.zeros((4, 2)), np.zeros((4, 2))), "a sequence of 2; expected three results", ()),
        ((None, np.zeros((4, 2)), np.zeros((4, 2))), "Q is None; expected an array of shape (4, 2)", ("not-an-array",)),
        (3.5, "project returned a Python float; expected three results", ("not-an-array",)),
    ],
)
def test_a_triple_of_arrays_is_expected(returned: Any, said: str, mistakes: tuple[str, ...]) -> None:
    report = one_check(lambda *_: returned, "qkv-projections", check("worked", SHOWN))
    assert report.status is Status.FAILED
    assert said in report.checks[0].message
    assert report.mistakes == mistakes


def test_an_array_with_a_leading_axis_is_a_sequence() -> None:
    one = check("random", SHOWN, sizes={"dv": 3, "d": 3})
    stacked = one_check(
        lambda *arguments: np.stack(OPERATIONS["qkv-projections"].reference(*arguments)), "qkv-projections", one
    )
    assert stacked.passed


EXACT = OPERATIONS["attention-cost"].reference(**OPERATIONS["attention-cost"].worked())[0]


@pytest.mark.parametrize(
    ("returned", "said", "mistakes"),
    [
        ((EXACT, np.nan), "megabytes is nan, expected", ("nan-result",)),
        ((1024.0, 0.002), "pairs is a Python float; expected a Python int", ("wrong-dtype",)),
        ((np.int64(1024), 0.002), "pairs is a NumPy number (int64); expected a Python int", ("wrong-dtype",)),
        ((True, 0.002), "pairs is a Python bool; expected a Python int", ("wrong-dtype",)),
        (("1024", 0.002), "pairs is the string '1024'; expected a Python int", ()),
        ((1024, np.array([0.002])), "megabytes is an array of shape (1,); expected a Python float", ()),
        ((1024, False), "megabytes is a Python bool; expected a Python float", ("wrong-dtype",)),
        (1024, "attention_cost returned a Python int; expected two results (pairs, megabytes)", ()),
        (None, "attention_cost returned None; expected two results", ()),
    ],
)
def test_a_pair_of_numbers_is_expected(returned: Any, said: str, mistakes: tuple[str, ...]) -> None:
    def attention_cost(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Any:
        return returned

    report = one_check(attention_cost, "attention-cost", check("worked", SHOWN))
    assert said in report.checks[0].message
    assert report.mistakes == mistakes


@pytest.mark.parametrize("number", [lambda mb: np.float64(mb), lambda mb: int(mb) if mb == int(mb) else mb, float])
def test_megabytes_may_be_any_number_of_the_right_value(number: Callable[[float], Any]) -> None:
    def attention_cost(n: int, bytes_per_score: int = 2, heads: int = 1, layers: int = 1) -> Any:
        pairs, megabytes = OPERATIONS["attention-cost"].reference(n, bytes_per_score, heads, layers)
        return pairs, number(megabytes)

    assert judged(attention_cost, exercise("attention-cost", *every_check("attention-cost"))).passed


def test_a_number_beyond_all_floats_is_wrong_and_nothing_breaks() -> None:
    report = one_check(lambda _n: (10**400, 10**400), "attention-cost", check("worked", SHOWN))
    assert report.status is Status.FAILED


# ---- Properties -----------------------------------------------------------------------------------------------------

BREAKS: dict[tuple[str, str], Callable[..., Any]] = {
    ("qkv-projections", "linear"): lambda x, Wq, Wk, Wv: (x @ Wq + 1, x @ Wk, x @ Wv),
    ("qkv-projections", "token-by-token"): lambda x, Wq, Wk, Wv: ((x - x.mean(0)) @ Wq, x @ Wk, x @ Wv),
    ("scaled-scores", "query-doubled"): lambda Q, K: (Q @ K.T) ** 2,
    ("scaled-scores", "keys-permuted"): lambda Q, K: Q @ K.T + np.arange(len(K)),
    ("scaled-scores", "zero-padded-width"): lambda Q, K: Q @ K.T,
    ("softmax", "rows-sum-to-one"): lambda scores: np.exp(scores),
    ("softmax", "shift-invariant"): lambda scores: 1 / (1 + np.exp(-scores)),
    ("attention", "rows-sum-to-one"): lambda Q, K, V: (Q @ K.T @ V, Q @ K.T),
    ("attention", "output-within-values"): lambda Q, K, V: (Q @ K.T @ V, Q @ K.T),
    ("attention", "keys-permuted"): lambda Q, K, V: (Q @ K.T @ V, Q @ K.T + np.arange(len(K))),
    ("attention", "zero-padded-width"): lambda Q, K, V: (Q @ K.T @ V, Q @ K.T),
    ("causal-attention", "rows-sum-to-one"): lambda Q, K, V: (Q @ K.T @ V, Q @ K.T),
    ("causal-attention", "future-hidden"): lambda Q, K, V: (Q @ K.T @ V, Q @ K.T),
    ("causal-attention", "first-row-is-first-value"): lambda Q, K, V: (Q @ K.T @ V, Q @ K.T),
    ("causal-attention", "prefix-consistent"): lambda Q, K, V: (Q @ K.T @ V, Q @ K.T),
    ("multi-head-attention", "future-hidden"): lambda x, *_: np.cumsum(x[:, ::-1], axis=1)[:, ::-1],
    ("multi-head-attention", "batch-by-batch"): lambda x, *_: x - x.mean(axis=0),
    ("multi-head-attention", "tokens-permuted"): lambda x, *_: np.cumsum(x, axis=1),
    ("multi-head-attention", "heads-apart"): lambda x, Wq, Wk, *_: x @ Wq @ Wk,
    ("multi-head-attention", "flag-left-out"): lambda x, Wq, Wk, Wv, Wo, num_heads, causal=True: OPERATIONS[
        "multi-head-attention"
    ].reference(x, Wq, Wk, Wv, Wo, num_heads, causal),
    ("attention-cost", "doubling-quadruples"): lambda n, *_: (n, n / 1e6),
    ("attention-cost", "defaults"): lambda n, size=4, heads=1, layers=1: (n * n, n * n * size * heads * layers / 1e6),
}


def reversed_in_time(*arguments: Any) -> Any:
    """Nothing that a property of attention allows: it neither averages, nor scales, nor hides anything."""
    Q, K, V = arguments[:3]
    return Q @ K.swapaxes(-1, -2) @ (V * np.arange(V.shape[-2])[:, None])


def off_by_the_first(function: Callable[..., Any]) -> Callable[..., Any]:
    """Right for one sequence, and each sequence of a batch as if it were the first."""
    return lambda first, *others: np.broadcast_to(function(first, *others)[:1], function(first, *others).shape).copy()


def counting(function: Callable[..., Any]) -> Callable[..., Any]:
    calls: list[int] = []

    def counted(*arguments: Any) -> Any:
        calls.append(1)
        return function(*arguments) + len(calls)

    return counted


def causal_unless_told(function: Callable[..., Any], arguments: int) -> Callable[..., Any]:
    """With another default of the last of so many arguments."""
    return lambda *given: function(*given) if len(given) == arguments else function(*given, True)


MULTI_HEAD = OPERATIONS["multi-head-attention"].reference
for name, properties in OUTPUT_PROPERTIES.items():
    for each in properties:
        BREAKS[name, each] = reversed_in_time
    if "batch-by-batch" in properties:
        BREAKS[name, "batch-by-batch"] = off_by_the_first(OPERATIONS[name].reference)
    if "flag-left-out" in properties:
        drawn = OPERATIONS[name].draw(np.random.default_rng(0), OPERATIONS[name].default_sizes, 1.0)
        BREAKS[name, "flag-left-out"] = causal_unless_told(OPERATIONS[name].reference, len(drawn))
BREAKS |= {
    ("tiled-attention", "any-block-size"): lambda Q, K, V, size, *_: Q @ K.T @ V * size,
    ("kv-cache", "prefix-consistent"): lambda Q, K, V: Q @ K.T @ V,
    ("kv-cache", "two-sequences"): counting(OPERATIONS["kv-cache"].reference),
    ("batched-attention", "last-queries"): OPERATIONS["torch-attention"].reference,  # aligned with the first query
    ("batched-attention", "flag-left-out"): lambda Q, K, V, causal=True: OPERATIONS["batched-attention"].reference(
        Q, K, V, causal
    ),
    ("multi-head-attention", "future-hidden"): lambda *arguments: MULTI_HEAD(*arguments[:-1], False),
    ("multi-head-attention", "tokens-permuted"): lambda *arguments: MULTI_HEAD(*arguments[:-1], True),
    ("multi-head-attention", "heads-apart"): lambda *arguments: MULTI_HEAD(*arguments[:-2], 1, False),
}
ALL_PROPERTIES = [(name, each) for name, properties in PROPERTIES.items() for each in properties]


@pytest.mark.parametrize(("name", "each"), ALL_PROPERTIES)
def test_a_property_is_broken_by_code_without_it(name: str, each: str) -> None:
    report = one_check(BREAKS[name, each], name, check("property", SHOWN, property=each))
    assert report.status is Status.FAILED, report
    result = report.checks[0]
    assert result.case is not None
    assert result.case["difference"] is not None
    assert " is " in result.message


@pytest.mark.parametrize(("name", "each"), ALL_PROPERTIES)
@pytest.mark.parametrize("number", [0.0, 1.0, np.nan])
def test_no_property_holds_for_constants(name: str, each: str, number: float) -> None:
    def constant(*arguments: Any) -> Any:
        returned = OPERATIONS[name].reference(*arguments)
        several = returned if isinstance(returned, tuple) else (returned,)
        filled = tuple(
            np.full_like(one, number) if isinstance(one, np.ndarray) else type(one)(0 if np.isnan(number) else number)
            for one in several
        )
        return filled if isinstance(returned, tuple) else filled[0]

    assert one_check(constant, name, check("property", SHOWN, property=each)).status is Status.FAILED


def test_a_property_needs_the_right_shapes() -> None:
    one = check("property", HIDDEN, property="rows-sum-to-one")
    report = one_check(lambda _scores: np.ones((1, 1)), "softmax", one)
    assert report.mistakes == ("wrong-shape",)
    assert report.checks[0].message == "weights has shape (1, 1); expected (5, 7)."


WRONGLY_MADE = {
    "one result": lambda Q, K, _V: Q @ K.T,
    "another shape": lambda Q, K, _V: (Q, Q @ K.T),
    "zeros": lambda Q, K, V: (np.zeros((len(Q), V.shape[1])), np.zeros((len(Q), len(K)))),
    "NaN": lambda Q, K, V: (np.full((len(Q), V.shape[1]), np.nan), np.full((len(Q), len(K)), np.nan)),
}


@pytest.mark.parametrize("wrong", WRONGLY_MADE.values(), ids=WRONGLY_MADE)
@pytest.mark.parametrize(
    "one", [check("unchanged", SHOWN), check("property", SHOWN, property="future-hidden")], ids=lambda one: one.kind
)
def test_what_is_in_the_way_of_a_check_is_all_that_it_says(one: CheckSpec, wrong: Callable[..., Any]) -> None:
    """Neither changes an argument, nor lets the future through: the check's sentence would accuse it of both."""
    result = one_check(wrong, "causal-attention", one).checks[0]
    assert result.status is Status.FAILED
    assert result.message
    assert one.message not in result.message


def test_a_future_that_turns_to_nan_is_said_to_be_nan() -> None:
    def leaks(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Any:
        output, weights = OPERATIONS["causal-attention"].reference(Q, K, V)
        return output, weights * (np.nan if np.abs(Q).max() > 4 else 1.0)

    one = check("property", SHOWN, property="future-hidden")
    result = one_check(leaks, "causal-attention", one).checks[0]
    assert (result.status, result.mistakes) == (Status.FAILED, ("nan-result",))
    assert one.message not in result.message


def test_keys_are_moved_to_another_order_and_found_again() -> None:
    for seed in range(20):
        before, after = arguments_of("attention", check("property", HIDDEN, property="keys-permuted"), seed)
        assert not np.array_equal(before["K"], after["K"])
        assert sorted(map(tuple, before["K"])) == sorted(map(tuple, after["K"]))


# ---- Unchanged ------------------------------------------------------------------------------------------------------


def spoiling(name: str, change: Callable[[np.ndarray], Any]) -> Callable[..., Any]:
    def attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Any:
        output, weights = OPERATIONS["attention"].reference(Q, K, V)
        change({"Q": Q, "K": K, "V": V}[name])
        return output, weights

    return attention


@pytest.mark.parametrize("name", ["Q", "K", "V"])
def test_changed_inputs_are_named_by_their_parameter(name: str) -> None:
    report = one_check(spoiling(name, lambda array: array.fill(0)), "attention", check("unchanged", HIDDEN))
    assert report.mistakes == ("mutates-input",)
    assert report.checks[0].message.endswith(f"{name} came back changed: work on a copy.")


@pytest.mark.parametrize(
    "change",
    [
        lambda array: array.__setitem__((0, 0), np.nextafter(array[0, 0], 9)),
        lambda array: array.sort(axis=0),
        lambda array: array.__setattr__("shape", array.shape[::-1]),
    ],
    ids=["the last bit", "order", "shape"],
)
def test_the_smallest_change_counts(change: Callable[[np.ndarray], Any]) -> None:
    assert one_check(spoiling("K", change), "attention", check("unchanged", HIDDEN)).mistakes == ("mutates-input",)


def test_doing_nothing_leaves_inputs_alone_and_earns_nothing() -> None:
    one = check("unchanged", HIDDEN)
    for lazy in (
        lambda *_: None,
        attention_changed(lambda output, weights: (output * 0, weights * 0)),
        attention_changed(lambda output, weights: (output * np.nan, weights)),
    ):
        report = one_check(lazy, "attention", one)
        assert report.status is Status.FAILED
        assert report.points == 0


def test_a_wrong_answer_that_leaves_its_inputs_alone_passes_this_check() -> None:
    wrong = attention_changed(lambda output, weights: (output + 1, weights))
    assert one_check(wrong, "attention", check("unchanged", HIDDEN)).passed


def test_kinds_are_those_of_the_package_format() -> None:
    assert set(KINDS) == {
        *("worked", "random", "extreme", "property", "unchanged"),
        *("precision", "gradient", "device", "memory", "step-time", "cost"),
    }
