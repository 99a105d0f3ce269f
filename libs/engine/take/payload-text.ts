/** What was sent, for operators. Off the bus it may be nested deeper than anybody can write. */
export const payloadText = (raw: unknown): string => {
  try {
    return JSON.stringify(raw) ?? 'null';
  } catch {
    return JSON.stringify({ unreadable: 'nested too deeply to be kept' });
  }
};
