import type { Refused } from '#deposits';

export const operatorRoles = ['admin', 'ops', 'auditor', 'engine'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Who calls with a Bearer token that may be used now. */
export type Operator = { readonly id: number; readonly role: OperatorRole; readonly name: string | null };

export type OperatorRefusal = { readonly refusal: 'missing' | 'invalid' | 'revoked' };

export type OperatorAuthentication =
  | { readonly outcome: 'authenticated'; readonly operator: Operator }
  | Refused<OperatorRefusal>;

/** Takes the Authorization header as it came. */
export type AuthenticateOperator = (header: string | undefined) => Promise<OperatorAuthentication>;

/** How an operator is named where a change is recorded. */
export const actorOf = ({ id }: Operator): string => `operator token ${id}`;
