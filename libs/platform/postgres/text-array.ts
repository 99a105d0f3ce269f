const TEXT = 25;

/** Dimensions, whether it holds a null, the type of its elements; of the one dimension the length and where it begins. */
const headOf = (length: number, hasNull: boolean): readonly number[] =>
  length === 0 ? [0, 0, TEXT] : [1, hasNull ? 1 : 0, TEXT, length, 1];

/**
 * A text[] as Postgres sends and takes it in binary. As text every quote of a JSON would be escaped here, and looked for
 * there: of events that is most of what they cost to send.
 */
export const textArray = (values: readonly (string | null)[]): Buffer => {
  const sizes = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const head = headOf(values.length, values.includes(null));
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + 4 + size, head.length * 4));
  let at = 0;
  for (const field of head) at = bytes.writeInt32BE(field, at);
  for (const [nth, value] of values.entries()) {
    at = bytes.writeInt32BE(value === null ? -1 : (sizes[nth] ?? 0), at);
    if (value !== null) at += bytes.write(value, at);
  }
  return bytes;
};
