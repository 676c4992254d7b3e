# Twin of attention_as_alignment.cpp: the same 6 cells in PyTorch, with the same labels.

# %% [17]
import torch

inputs = torch.tensor(
    [
        [0.43, 0.15, 0.89],
        [0.55, 0.87, 0.66],
        [0.57, 0.85, 0.64],
        [0.22, 0.58, 0.33],
        [0.77, 0.25, 0.10],
        [0.05, 0.80, 0.55],
    ]
)
# axis inputs 0: Your, journey, starts, with, one, step
inputs

# %% [5]
attn_score = torch.dot(inputs[0], inputs[1])
attn_score

# %% [12]
query = inputs[1]
attn_scores = torch.empty(inputs.shape[0])
for i, x_i in enumerate(inputs):
    attn_scores[i] = torch.dot(x_i, inputs[i])
attn_scores

# %% [13]
attn_scores = inputs @ inputs.T
attn_scores

# %% [14]
attn_weights = torch.softmax(attn_scores, dim=-1)
attn_weights

# %% [15]
context_vectors = attn_weights @ inputs
context_vectors
