const coded = (letter: string): string => {
  const code = letter.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
};

/**
 * What others sent may not move a terminal's cursor, colour what follows, ring or turn a line around. Nothing is left
 * out: what is hidden from whoever reads could be what somebody hides.
 */
export const shownSafely = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, coded);

/** The same value as JSON: the rest of the control characters has no other place in it. */
export const jsonSafely = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\p{Bidi_Control}]/gu,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
