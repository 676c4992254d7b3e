# Twin of keys_queries_values.cpp: the same 53 cells in PyTorch, with the same labels.

# %% [1]
import torch

# %% [7]
import torch.nn.functional as F

# %% [3]
encoder_hidden_states = torch.tensor([[0.21, 0.51, 1.25], [4.13, -41.3, 0.31], [3.2, 0.02, 9.44]])

# %% [4]
encoder_hidden_states

# %% [9]
scores = torch.tensor([13, 9, 9], dtype=torch.float)

# %% [11]
softmax_scores = F.softmax(scores, dim=0)

# %% [14]
output = softmax_scores * encoder_hidden_states

# %% [15]
output

# %% [16]
output.sum(dim=-1)

# %% [54]
v_1 = torch.tensor([1, 0, 1, 0])

# %% [55]
v_2 = torch.tensor([0, 2, 0, 2])

# %% [56]
v_3 = torch.tensor([1, 1, 1, 1])

# %% [60]
W_k1 = torch.tensor([0, 1, 0, 1])

# %% [61]
W_k2 = torch.tensor([0, 1, 1, 1])

# %% [62]
W_k3 = torch.tensor([1, 0, 0, 0])

# %% [restored] W_k, which cell 59 displays before cell 110 defines it: its columns are W_k1, W_k2 and W_k3
W_k = torch.stack([W_k1, W_k2, W_k3], dim=1)

# %% [59]
W_k

# %% [95]
v_1, v_2, v_3

# %% [96]
W_k1, W_k2, W_k3


# %% [97]
def compute_keys(vs, ws):
    v = torch.stack([*vs])
    w = torch.stack([*ws], dim=1)
    return v @ w


# %% [98]
keys = compute_keys([v_1, v_2, v_3], [W_k1, W_k2, W_k3])
# axis keys 0: v_1, v_2, v_3

# %% [99]
keys

# %% [100]
keys[0]

# %% [101]
keys = compute_keys([v_1, v_2, v_3], [W_k1, W_k2, W_k3])

# %% [108]
v = torch.stack([v_1, v_2, v_3])
# axis v 0: v_1, v_2, v_3

# %% [110]
W_k = torch.tensor([[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])

# %% [111]
W_q = torch.tensor([[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])

# %% [112]
W_v = torch.tensor([[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])

# %% [113]
keys = v @ W_k

# %% [114]
keys

# %% [115]
queries = v @ W_q

# %% [119]
queries

# %% [116]
values = v @ W_v

# %% [118]
values

# %% [123]
queries[0] * keys.t()

# %% [158]
queries

# %% [147]
keys.t()

# %% [143]
queries[0][1] * keys[0]

# %% [153]
attention_score = queries[0] @ keys.t()

# %% [154]
attention_score

# %% [156]
queries[0] @ keys.t()

# %% [157]
F.softmax(attention_score.float(), dim=0)

# %% [161]
v = torch.tensor([[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]], dtype=torch.float)
# axis v 0: v_1, v_2, v_3

# %% [163]
v

# %% [176]
v[0]

# %% [174]
w_key = torch.tensor([[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]], dtype=torch.float)

# %% [175]
w_query = torch.tensor([[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]], dtype=torch.float)

# %% [170]
w_value = torch.tensor([[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]], dtype=torch.float)

# %% [178]
keys = v @ w_key

# %% [179]
queries = v @ w_query

# %% [180]
values = v @ w_value

# %% [181]
queries

# %% [182]
keys

# %% [183]
queries @ keys
