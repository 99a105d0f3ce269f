import { Agent, request } from 'undici';
import { type DepositWebhook, defaultLimits, headersOf } from '#webhooks';
import { SECRET } from './webhooks.ts';

export type BareSender = {
  /** Sends all, and is done when all are answered. */
  readonly send: (webhooks: readonly DepositWebhook[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

const signing = { secret: SECRET, previousSecrets: [] };

/**
 * What undici can do when nothing is stored and nothing goes wrong: the same bodies, signature, headers and endpoints,
 * as many at a time to an endpoint and in all as the scheduler allows, over connections that are kept.
 */
export const openBareSender = (urlOf: ReadonlyMap<number, string>): BareSender => {
  const dispatcher = new Agent({ pipelining: 1 });
  const atATime = Math.min(defaultLimits.perEndpoint, Math.floor(defaultLimits.total / urlOf.size));

  const post = async (url: string, { webhookId, body }: DepositWebhook): Promise<void> => {
    const headers = headersOf(signing, { webhookId, body, at: new Date() });
    const answer = await request(url, { dispatcher, method: 'POST', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`an endpoint answered ${answer.statusCode}`);
  };

  return {
    send: async (webhooks) => {
      const sendTo = async (entityId: number, url: string): Promise<void> => {
        const left = webhooks.filter((webhook) => webhook.entityId === entityId).values();
        const one = async (): Promise<void> => {
          for (const webhook of left) await post(url, webhook);
        };
        await Promise.all(Array.from({ length: atATime }, one));
      };
      await Promise.all([...urlOf].map(([entityId, url]) => sendTo(entityId, url)));
    },
    close: () => dispatcher.close(),
  };
};
