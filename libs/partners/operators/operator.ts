import type { Refused } from '#deposits';

export const operatorRoles = ['admin', 'ops', 'auditor', 'engine'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** What is made known before it is done: the operation, of whom or what, with what, and why. */
export type Act = {
  readonly operation: string;
  readonly about: object;
  readonly sent?: unknown;
  /** As much of it as the route reads, for others to see. */
  readonly shown?: unknown;
  readonly reason: string;
  /** Whose role may let it through. */
  readonly roles: readonly OperatorRole[];
  /** One person may do it, also where two are wanted for the rest. */
  readonly alone?: boolean;
};

/** Held: somebody else has to let it through first. Approved: somebody else did. */
export type Allowed =
  | { readonly outcome: 'allowed' | 'approved' }
  | { readonly outcome: 'held'; readonly approval: number };

/** How operators are checked now, at every process of this installation alike. */
export type OperatorChecks = {
  /** What is dangerous at the console wants a second person. */
  readonly fourEyes: boolean;
  /** So long holds what a provider said of somebody, and what he approved by that. Undefined: as long as any. */
  readonly personSeconds: number | undefined;
};

export type AskChecks = () => Promise<OperatorChecks>;

/** Of whoever calls from the console. */
export type ConsoleSession = {
  /** His token was shown a moment ago. */
  readonly confirmed: boolean;
  readonly begunAt: Date;
  /** Somebody does something, so it goes on. */
  readonly touch: () => Promise<void>;
  /** False: this very attempt has come before, here or at another instance. */
  readonly take: (attempt: string) => Promise<boolean>;
  /** Nothing was done of it: it may come once more. */
  readonly giveBack: (attempt: string) => Promise<void>;
  /** Puts what is dangerous on record, unless it is held. */
  readonly allow: (act: Act) => Promise<Allowed>;
};

/** Who calls with a token that may be used now, or in a session that began with it. */
export type Operator = {
  readonly id: number;
  readonly role: OperatorRole;
  readonly name: string | null;
  /** Whom the operator's provider has let in, as it names him. */
  readonly subject?: string;
  readonly session?: ConsoleSession;
};

export type OperatorRefusal = { readonly refusal: 'missing' | 'invalid' | 'revoked' };

export type OperatorAuthentication =
  | { readonly outcome: 'authenticated'; readonly operator: Operator }
  | Refused<OperatorRefusal>;

/** What the console's cookie holds. No header is one: the door takes it from where its guards have looked. */
export type SessionSecret = { readonly session: string };

/** Takes the Authorization header as it came, or a session's secret, and the address that it came from. */
export type AuthenticateOperator = (
  shown: string | SessionSecret | undefined,
  from: string,
) => Promise<OperatorAuthentication>;

/** How an operator is named where a change is recorded. */
export const actorOf = ({ id, subject }: Pick<Operator, 'id' | 'subject'>): string =>
  subject === undefined ? `operator token ${id}` : `operator ${subject}`;
