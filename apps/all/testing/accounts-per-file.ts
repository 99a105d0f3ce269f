import { afterAll, beforeAll } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { type Answer, type ServedAccounts, serveAccounts } from './serve-accounts.ts';

const token = 'the-operator-token-of-the-tests';

/** One service of accounts for all tests of a file, with a token of an admin. */
export const accountsPerFile = () => {
  let database: FreshDatabase;
  let service: ServedAccounts;

  beforeAll(async () => {
    database = await freshDatabase();
    service = await serveAccounts(database.url);
    await service.partners.prepareTokens({ operator: token });
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  return {
    token,
    get service(): ServedAccounts {
      return service;
    },
    admin: (method: string, path: string, body?: unknown): Promise<Answer> =>
      service.call(token, method, `/operator/${path}`, body),
  };
};
