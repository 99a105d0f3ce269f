import { NodeUnreachable, TooManyAtOnce } from './errors.ts';
import { wordsOf } from './words.ts';

export type Answer = {
  /** Null where the question could not be read. */
  readonly id: number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | null;
};

type Sent = Omit<Answer, 'error'> & { readonly error?: { readonly code?: unknown; readonly message?: unknown } | null };

const isAnswer = (value: unknown): value is Sent => {
  if (typeof value !== 'object' || value === null) return false;
  const error = 'error' in value ? value.error : undefined;
  return 'result' in value || (typeof error === 'object' && error !== null);
};

/** A node that begins refuses everything for a while, and that says nothing of what was asked. */
const BEGINS = -28;
/** As those say who count questions. */
const LIMITED = -32005;

const readOf = (answer: unknown, name: string): Answer => {
  if (!isAnswer(answer)) throw new NodeUnreachable(`${name} answers what no node does`);
  const { id, result, error: sent } = answer;
  if (!sent) return { id, result };
  const error = { code: Number.isSafeInteger(sent.code) ? Number(sent.code) : 0, message: wordsOf(sent.message) };
  if (error.code === BEGINS) throw new NodeUnreachable(`${name} begins: ${error.message}`);
  if (error.code === LIMITED) throw new NodeUnreachable(`${name} is asked too much: ${error.message}`);
  return { id, result, error };
};

const couldNotRead = ({ error }: Answer, name: string): string =>
  `${name} could not read what it was asked: ${error?.message ?? 'it does not say why'}`;

/** What stands in front of a node answers in JSON too, that it is asked too much: that says nothing of the chain. */
export const answerOf = (said: unknown, name: string): Answer => {
  const answer = readOf(said, name);
  if (answer.error && answer.id === null) throw new NodeUnreachable(couldNotRead(answer, name));
  return answer;
};

/** In the order of the questions. What is missing was not answered: taken for refused it would say something of the chain. */
export const answersTo = (asked: number, answers: unknown, name: string): readonly Answer[] => {
  if (!Array.isArray(answers)) {
    const { error } = readOf(answers, name);
    if (error) throw new TooManyAtOnce(`${name} does not take several questions at once: ${error.message}`);
    throw new NodeUnreachable(`${name} does not take several questions at once: it answers one`);
  }
  const all = answers.map((each) => readOf(each, name));
  const unread = all.find(({ id, error }) => id === null && error);
  if (unread) throw new TooManyAtOnce(couldNotRead(unread, name));
  const byId = new Map(all.map((answer) => [answer.id, answer]));
  if (byId.size < answers.length) throw new NodeUnreachable(`${name} answers one question twice`);
  const own = Array.from({ length: asked }, (_, id) => byId.get(id) ?? []).flat();
  if (own.length === asked) return own;
  // An answer to what nobody asked says nothing of how many it takes.
  const Failure = byId.size > own.length ? NodeUnreachable : TooManyAtOnce;
  throw new Failure(`${name} answers ${own.length} of ${asked} questions`);
};
