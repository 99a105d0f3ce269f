import { type AuthenticateOperator, operatorRoles } from '../index.ts';

/** The token is the role, and the place of the role the id. */
export const operatorByRole: AuthenticateOperator = async (header) => {
  const id = operatorRoles.findIndex((role) => header === `Bearer ${role}`);
  const role = operatorRoles[id];
  return role
    ? { outcome: 'authenticated', operator: { id, role, name: null } }
    : { outcome: 'refused', refusal: { refusal: 'invalid' } };
};
