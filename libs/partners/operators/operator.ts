export const operatorRoles = ['admin', 'ops', 'auditor', 'engine'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Who calls with a Bearer token that may be used now. */
export type Operator = { readonly id: number; readonly role: OperatorRole; readonly name: string | null };

/** Takes the Authorization header as it came; throws the catalogue's 401. */
export type AuthenticateOperator = (header: string | undefined) => Promise<Operator>;

/** How an operator is named where a change is recorded. */
export const actorOf = ({ id }: Operator): string => `operator token ${id}`;
