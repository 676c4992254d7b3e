// Measures the cost of a process that loads and unloads LibTorch without using it. bench/cost.py divides by
// it.
int main() { return 0; }
