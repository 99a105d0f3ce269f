import type { CustomFetch } from 'openid-client';
import { reasonOf } from '#platform/reason';

/** It cannot be reached, or something is wrong with itself: nothing is said of who comes. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway';
}

/** Also behind what the client makes of it. */
export const isAway = (error: unknown): boolean =>
  error instanceof Error && (error instanceof ProviderAway || isAway(error.cause));

/** As `fetch`, for a client that has one name for all that goes wrong on the way; an answer is there once all of it is. */
export const askProvider: CustomFetch = async (url, options) => {
  const place = url.split('?')[0];
  const answered = async (): Promise<Response> => {
    const answer = await fetch(url, options as RequestInit);
    await answer.clone().arrayBuffer();
    return answer;
  };
  const answer = await answered().catch((cause: unknown) => {
    throw new ProviderAway(`${place} does not answer: ${reasonOf(cause)}`, { cause });
  });
  if (answer.status >= 500) throw new ProviderAway(`${place} answers ${answer.status}`);
  return answer;
};
