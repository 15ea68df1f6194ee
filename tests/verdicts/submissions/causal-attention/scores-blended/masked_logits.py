import numpy as np


class Layer:
    def forward(self, Q, K, V):
        self.attn = Q @ K.T / np.sqrt(K.shape[1])
        self.attn[np.triu_indices(len(Q), 1)] = -np.inf
        self.probs = np.exp(self.attn - np.logaddexp.reduce(self.attn, axis=1)[:, None])
        return self.attn @ V


def causal_attention(Q, K, V):
    layer = Layer()
    out = layer.forward(Q, K, V)
    return out, layer.probs
