/** Lets everything run that is ready, in tests of code that waits neither for time nor for the outside world. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
