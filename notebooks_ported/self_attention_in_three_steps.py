# Twin of self_attention_in_three_steps.cpp: the same 12 cells in PyTorch, with the same labels.

# %% [1]
import torch

inputs = torch.tensor(
    [
        [0.21, 0.47, 0.91],
        [0.52, 0.11, 0.65],
        [0.03, 0.85, 0.19],
        [0.73, 0.64, 0.39],
        [0.13, 0.55, 0.68],
        [0.22, 0.77, 0.08],
    ]
)
# axis inputs 0: I, can't, find, the, light, switch

# %% [27]
inputs.shape

# %% [None]
query = inputs[4]
attention_scores_for_light = torch.empty(inputs.shape[0])
for i, token_embedding in enumerate(inputs):
    attention_scores_for_light[i] = torch.dot(query, token_embedding)

# %% [3]
attention_scores_for_light

# %% [5]
import torch.nn.functional as F

attention_weights_for_light = F.softmax(attention_scores_for_light, dim=0)
sum(attention_weights_for_light)

# %% [15]
context_vector_for_light = torch.zeros_like(query)
for i, token_embedding in enumerate(inputs):
    context_vector_for_light += attention_weights_for_light[i] * token_embedding
context_vector_for_light

# %% [31]
inputs.shape

# %% [32]
inputs.T.shape

# %% [None]
attention_scores = inputs @ inputs.T
attention_scores

# %% [None]
attention_weights = F.softmax(attention_scores, dim=-1)
attention_weights

# %% [35]
context_vectors = attention_weights @ inputs
context_vectors

# %% [36]
attention_weights.shape, inputs.shape, context_vectors.shape
