import type { Socket } from 'node:net';

export class AnswerTooLong extends Error {
  override readonly message = 'The answer is too long';
}

/** More than ten interim answers with all their headers, and than the beginning of any answer that is kept. */
const MOST_BYTES = 256 * 1_024;
const MOST_CONTINUES = 10;
/** One that is longer is left to the parser. */
const LONGEST_INTERIM = 4 * 1_024;

const INTERIM = /^HTTP\/1\.\d 1(\d\d)[^\n]*\r?\n(?:[^\r\n][^\n]*\n)*\r?\n/;
const MAY_BE_INTERIM = /^HTTP\/1\.\d 1/;
const LIKE_INTERIM = 'HTTP/1.1 1';

const mayBecomeInterim = (text: string): boolean =>
  text.length < LIKE_INTERIM.length
    ? MAY_BE_INTERIM.test(text + LIKE_INTERIM.slice(text.length))
    : MAY_BE_INTERIM.test(text) && text.length < LONGEST_INTERIM;

type Sifted = { readonly on: string; readonly held: string; readonly dropped: number; readonly isBegun: boolean };

/** What comes before the answer, without the blocks of 100; and what cannot be judged before more has come. */
const sift = (text: string): Sifted => {
  let [on, rest, dropped] = ['', text, 0];
  for (let found = INTERIM.exec(rest); found; found = INTERIM.exec(rest)) {
    if (found[1] === '00') dropped++;
    else on += found[0];
    rest = rest.slice(found[0].length);
  }
  if (mayBecomeInterim(rest)) return { on, held: rest, dropped, isBegun: false };
  return { on: on + rest, held: '', dropped, isBegun: true };
};

/**
 * What stands between a connection and the client's parser. It takes in no more of an answer than anybody may send,
 * since the parser reads on for ever through what tells it nothing (an extension of a chunk). And it leaves out
 * `100 Continue`: some servers send it unasked, as they may (RFC 9110, 15.2), and the parser cuts the line then.
 */
export const takenAnswers = <Of extends Socket>(socket: Of): Of => {
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket)];
  let [taken, held, continues, isBegun] = [0, '', 0, false];

  const sifted = (chunk: Buffer): Buffer => {
    if (isBegun) return chunk;
    const found = sift(held + chunk.toString('latin1'));
    [held, continues, isBegun] = [found.held, continues + found.dropped, found.isBegun];
    return Buffer.from(found.on, 'latin1');
  };

  const taking = (size?: number): Buffer | null => {
    for (;;) {
      if (taken > MOST_BYTES || continues > MOST_CONTINUES) {
        socket.destroy(new AnswerTooLong());
        return null;
      }
      const chunk: Buffer | null = read(size);
      if (chunk === null) return null;
      taken += chunk.length;
      const on = sifted(chunk);
      if (on.length > 0) return on;
    }
  };
  // Whoever writes asks anew: answers on one connection come one after the other.
  const asking = (...what: Parameters<typeof write>): boolean => {
    [taken, held, continues, isBegun] = [0, '', 0, false];
    return write(...what);
  };
  return Object.assign(socket, { read: taking, write: asking });
};
