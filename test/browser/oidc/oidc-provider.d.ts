/** As much of it as the tests need. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Context = {
    body: Record<string, unknown> | string;
    status: number;
    readonly response: {
      readonly get: (header: string) => string | undefined;
      readonly remove: (header: string) => void;
    };
    readonly oidc?: {
      readonly route: string;
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId: string };
    };
  };
  type Grant = { readonly addOIDCScope: (scope: string) => void; readonly save: () => Promise<string> };

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (of: {
      readonly clientId: string;
      readonly accountId: string;
    }) => Grant;
    readonly callback: () => (request: IncomingMessage, response: ServerResponse) => void;
    readonly use: (middleware: (context: Context, next: () => Promise<void>) => Promise<void>) => void;
    readonly interactionFinished: (request: IncomingMessage, response: ServerResponse, result: object) => Promise<void>;
  }
}
