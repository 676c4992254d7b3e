# Twin of attention_by_hand.cpp: the same 39 cells in PyTorch, with the same labels.

# %% [1]
import torch

# %% [2]
torch.manual_seed(123)
inputs = torch.rand((6, 3))
# axis inputs 0: your, journey, starts, with, one, step

# %% [3]
x_2 = inputs[1]
print(f"shape of x_2: {x_2.shape}")
attention_scores1 = torch.empty(len(inputs))
for i, inp in enumerate(inputs):
    attention_scores1[i] = x_2 @ inp

# %% [4]
attention_scores1

# %% [5]
x_2 = inputs[1]
attention_scores2 = torch.empty(len(inputs))
for i, inp in enumerate(inputs):
    attention_scores2[i] = torch.dot(x_2, inp)

# %% [6]
attention_scores2

# %% [7]
attention_scores3 = inputs @ x_2
print(attention_scores3)

# %% [8]
inputs[0]

# %% [9]
print(f"inputs[0]: {inputs[0]}")
print(f"x_2: {x_2}")
res = 0
for idx, val in enumerate(inputs[0]):
    res += inputs[0][idx] * x_2[idx]
print(res)

# %% [10]
inputs[0].shape

# %% [11]
x_2.shape

# %% [12]
inputs @ x_2

# %% [13]
inputs.shape

# %% [14]
attention_weights = attention_scores3 / attention_scores3.sum()
print(f"attention scores: {attention_weights}")
print(f"attention scores sum to one: {attention_weights.sum()}")

# %% [15]
attn_scores = inputs @ inputs.T
attn_scores

# %% [16]
print(inputs[0])
print(torch.exp(inputs[0]) / torch.exp(inputs[0]).sum(dim=0))


# %% [17]
def softmax_naive(x, dim=0):
    return torch.exp(x) / torch.exp(x).sum(dim=dim)


# %% [18]
attention_weights_naive_soft = softmax_naive(attention_scores3)

# %% [19]
print(attention_weights_naive_soft)

# %% [20]
attention_weights_naive_soft_inputs1 = softmax_naive(attn_scores, dim=1)
print(attention_weights_naive_soft_inputs1)

# %% [21]
attention_weights_naive_soft_inputs1.shape

# %% [22]
print(attention_weights_naive_soft_inputs1[:, 0])
print(attention_weights_naive_soft_inputs1[:, 0].sum())

# %% [23]
attention_weights_naive_soft_inputs2 = softmax_naive(attn_scores, dim=0)

# %% [24]
print(attention_weights_naive_soft_inputs2[:, 0])
print(attention_weights_naive_soft_inputs2[:, 0].sum())

# %% [25]
torch.exp(attn_scores) / torch.exp(attn_scores).sum(dim=1)

# %% [26]
torch.exp(attn_scores) / torch.exp(attn_scores).sum(dim=0)

# %% [27]
print(attn_scores)

# %% [28]
torch.exp(attn_scores).sum(dim=1)

# %% [29]
torch.exp(attn_scores).sum(dim=0)

# %% [30]
torch.exp(attn_scores)

# %% [31]
round(1.5187 / 8.688, 4)

# %% [32]
round(1.5844 / 8.6883, 4)

# %% [33]
round(1.5844 / 13.4997, 4)

# %% [34]
attention_weights1 = torch.softmax(attention_scores3, dim=0)
print(attention_weights1)

# %% [35]
attention_weights2 = torch.softmax(attn_scores, dim=0)
print(attention_weights2)

# %% [36]
print(attention_weights2.shape)
print(inputs.shape)
attention_weights2 @ inputs

# %% [37]
attention_weights1 @ inputs

# %% [38]
context_vec = torch.zeros(inputs[0].shape)
for idx, x_i in enumerate(inputs):
    context_vec += attention_weights1[idx] * x_i

# %% [39]
context_vec
