export const MAX_DEPTH = 32;

/** More than any body of ours has. Checking a body against its class takes time with the square of them. */
export const MAX_NAMES = 200;

/** Ten times what any body of ours has: a megabyte holds hundreds of thousands, and each is looked at. */
export const MAX_PARTS = 10_000;
