/** A start that cannot succeed before somebody changes something outside; the message is one line that says what. */
export class StartError extends Error {}
