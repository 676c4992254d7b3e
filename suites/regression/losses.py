# Twin of losses.cpp: the same 31 cells in PyTorch, with the same labels.

# %% [1]
import torch
import torch.nn as nn
import torch.nn.functional as F

# %% [2]
torch.manual_seed(21)
prediction = torch.randn(3, 4)
target = torch.randn(3, 4)
prediction - target

# %% [3]
print(F.mse_loss(prediction, target), F.mse_loss(prediction, target, reduction="sum"))
F.mse_loss(prediction, target, reduction="none")

# %% [4]
learned = prediction.clone().requires_grad_()
F.mse_loss(learned, target).backward()
print(torch.allclose(learned.grad, 2 * (prediction - target) / 12, atol=1e-6))
learned.grad

# %% [5]
print(F.l1_loss(prediction, target), nn.L1Loss(reduction="sum")(prediction, target))
learned = prediction.clone().requires_grad_()
F.l1_loss(learned, target, reduction="sum").backward()
learned.grad

# %% [6]
print(F.smooth_l1_loss(prediction, target), F.smooth_l1_loss(prediction, target, beta=0.5))
print(F.smooth_l1_loss(prediction, target, reduction="none")[0])
learned = prediction.clone().requires_grad_()
F.smooth_l1_loss(learned, target, beta=0.5).backward()
learned.grad

# %% [7]
print(F.huber_loss(prediction, target, delta=0.5), nn.HuberLoss(delta=2.0)(prediction, target))
learned = prediction.clone().requires_grad_()
F.huber_loss(learned, target, delta=0.5, reduction="sum").backward()
learned.grad

# %% [8]
torch.manual_seed(22)
scores = torch.randn(4, 5)
labels = torch.tensor([1, 0, 4, 2])
print(F.cross_entropy(scores, labels))
print(F.cross_entropy(scores, labels, reduction="none"))
F.cross_entropy(scores, labels, reduction="sum")

# %% [9]
log_probabilities = F.log_softmax(scores, dim=-1)
by_hand = -log_probabilities[torch.arange(4), labels]
print(by_hand)
print(torch.allclose(by_hand.mean(), F.cross_entropy(scores, labels)))

# %% [10]
learned = scores.clone().requires_grad_()
F.cross_entropy(learned, labels).backward()
print(torch.allclose(learned.grad, (F.softmax(scores, -1) - F.one_hot(labels, 5)) / 4, atol=1e-6))
learned.grad

# %% [11]
weight = torch.tensor([1.0, 2.0, 0.5, 1.0, 3.0])
print(F.cross_entropy(scores, labels, weight=weight))
print(F.cross_entropy(scores, labels, weight=weight, reduction="sum"))
print((by_hand * weight[labels]).sum() / weight[labels].sum())
learned = scores.clone().requires_grad_()
F.cross_entropy(learned, labels, weight=weight).backward()
learned.grad

# %% [12]
ignored = torch.tensor([1, -100, 4, -100])
print(F.cross_entropy(scores, ignored))
print(F.cross_entropy(scores, labels, ignore_index=2))
learned = scores.clone().requires_grad_()
F.cross_entropy(learned, ignored).backward()
learned.grad

# %% [13]
print(F.cross_entropy(scores, labels, label_smoothing=0.1))
print(nn.CrossEntropyLoss(label_smoothing=0.2, reduction="sum")(scores, labels))
learned = scores.clone().requires_grad_()
F.cross_entropy(learned, labels, label_smoothing=0.1).backward()
learned.grad

# %% [14]
soft = F.softmax(torch.arange(20.0).view(4, 5) / 5, dim=-1)
print(F.cross_entropy(scores, soft))
-(soft * log_probabilities).sum(-1)

# %% [15]
pixels = scores.view(1, 5, 2, 2)
map_of_labels = torch.tensor([[[0, 3], [1, 4]]])
F.cross_entropy(pixels, map_of_labels, reduction="none")

# %% [16]
print(F.nll_loss(log_probabilities, labels))
print(F.nll_loss(log_probabilities, labels, weight=weight, reduction="none"))
print(nn.NLLLoss(ignore_index=0)(log_probabilities, labels))
learned = log_probabilities.clone().requires_grad_()
F.nll_loss(learned, labels, weight=weight).backward()
learned.grad

# %% [17]
logits = torch.tensor([0.8, -1.2, 2.5, 0.1])
truth = torch.tensor([1.0, 0.0, 0.0, 1.0])
probability = torch.sigmoid(logits)
print(F.binary_cross_entropy(probability, truth))
print(F.binary_cross_entropy(probability, truth, weight=torch.tensor([1.0, 2.0, 3.0, 4.0]), reduction="none"))
learned = probability.clone().requires_grad_()
F.binary_cross_entropy(learned, truth).backward()
learned.grad

# %% [18]
print(F.binary_cross_entropy_with_logits(logits, truth))
print(F.binary_cross_entropy_with_logits(logits, truth, pos_weight=torch.tensor(3.0), reduction="none"))
learned = logits.clone().requires_grad_()
F.binary_cross_entropy_with_logits(learned, truth, pos_weight=torch.tensor(3.0)).backward()
learned.grad

# %% [19]
nn.BCEWithLogitsLoss(reduction="sum")(logits, torch.full((4,), 0.3))

# %% [20]
p = F.log_softmax(scores[:2], dim=-1)
q = F.softmax(scores[2:], dim=-1)
print(F.kl_div(p, q, reduction="batchmean"), F.kl_div(p, q, reduction="sum"))
print(F.kl_div(p, q.log(), log_target=True, reduction="batchmean"))
learned = p.clone().requires_grad_()
F.kl_div(learned, q, reduction="batchmean").backward()
learned.grad

# %% [21]
F.kl_div(p, q, reduction="none")

# %% [22]
signs = torch.tensor([1.0, -1.0, 1.0, -1.0])
distance = torch.tensor([0.3, 0.4, 1.2, 1.7])
print(F.hinge_embedding_loss(distance, signs))
print(F.hinge_embedding_loss(distance, signs, margin=2.0, reduction="none"))
learned = distance.clone().requires_grad_()
F.hinge_embedding_loss(learned, signs, margin=2.0).backward()
learned.grad

# %% [23]
torch.clamp(1 - signs * logits, min=0), F.soft_margin_loss(logits, signs)

# %% [24]
print(F.multi_margin_loss(scores, labels), F.multi_margin_loss(scores, labels, p=2, margin=0.5))
learned = scores.clone().requires_grad_()
F.multi_margin_loss(learned, labels).backward()
learned.grad

# %% [25]
first = torch.tensor([0.5, 1.5, -0.2, 0.9])
second = torch.tensor([0.7, 0.6, 0.3, 1.1])
print(F.margin_ranking_loss(first, second, signs, margin=0.1))
print(F.margin_ranking_loss(first, second, signs, reduction="none"))
learned = first.clone().requires_grad_()
F.margin_ranking_loss(learned, second, signs, margin=0.1).backward()
learned.grad

# %% [26]
print(F.cosine_similarity(prediction, target, dim=1))
print(F.cosine_embedding_loss(prediction, target, torch.tensor([1, -1, 1])))
print(F.cosine_embedding_loss(prediction, target, torch.tensor([1, -1, -1]), margin=-0.5, reduction="none"))
learned = prediction.clone().requires_grad_()
F.cosine_embedding_loss(learned, target, torch.tensor([1, -1, 1]), margin=-0.9).backward()
learned.grad

# %% [27]
torch.manual_seed(23)
anchor = torch.randn(3, 4)
positive = anchor + torch.randn(3, 4) * 0.8
negative = torch.randn(3, 4)
print(F.pairwise_distance(anchor, positive), F.pairwise_distance(anchor, negative))
print(F.triplet_margin_loss(anchor, positive, negative))
print(F.triplet_margin_loss(anchor, positive, negative, margin=2.0, p=1.0, reduction="none"))
print(F.triplet_margin_loss(anchor, positive, negative, swap=True))
learned = anchor.clone().requires_grad_()
F.triplet_margin_loss(learned, positive, negative, margin=2.0).backward()
learned.grad[:2]

# %% [28]
print(F.poisson_nll_loss(logits, torch.tensor([1.0, 0.0, 5.0, 2.0])))
print(F.poisson_nll_loss(probability, torch.tensor([1.0, 0.0, 5.0, 2.0]), log_input=False, full=True))
prediction.exp().sum(0)

# %% [29]
multi = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
print(F.multilabel_soft_margin_loss(prediction, multi))
print(F.multilabel_soft_margin_loss(prediction, multi, reduction="none"))
F.multilabel_margin_loss(prediction, torch.tensor([[0, 2, -1, -1], [1, 2, -1, -1], [3, -1, -1, -1]]))

# %% [30]
torch.manual_seed(24)
steps = F.log_softmax(torch.randn(6, 2, 4), dim=-1)
sequences = torch.tensor([[1, 2, 3], [2, 2, 0]])
print(F.ctc_loss(steps, sequences, torch.tensor([6, 5]), torch.tensor([3, 2])))
print(F.ctc_loss(steps, sequences, torch.tensor([6, 5]), torch.tensor([3, 2]), reduction="none"))
learned = steps.clone().requires_grad_()
F.ctc_loss(learned, sequences, torch.tensor([6, 5]), torch.tensor([3, 2]), reduction="sum").backward()
learned.grad[:, 0]

# %% [31]
torch.manual_seed(25)
linear = nn.Linear(4, 5)
inputs = torch.randn(4, 4)
optimizer = torch.optim.SGD(linear.parameters(), lr=0.5)
for criterion in [nn.CrossEntropyLoss(), nn.MultiMarginLoss(), nn.CrossEntropyLoss(label_smoothing=0.1)]:
    for step in range(3):
        loss = criterion(linear(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.4f}", end=" ")
    print()
linear.weight.detach()
