/** What an attempt came to, in the words that a caller would read. */
export const refusal = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt;
    return 'let in';
  } catch (error) {
    const { status, message } = error as { status?: number; message: string };
    return `${status} ${message}`;
  }
};
