/** Fields of bodies and queries: what each means, and what may stand in it. */
export {
  SentAmount,
  SentDigits,
  SentFlag,
  SentId,
  SentNested,
  SentNum,
  SentText,
  SentTime,
  SentWord,
  SentWords,
} from './sent.ts';
export { Flag, Int, Json, List, Nested, Num, Text, Time, Word, Words } from './shown.ts';
