/**
 * The row of a delivery that is not delivered, for a FROM clause. With a limit of its own, so that it is looked up delivery
 * by delivery in every plan: after a quiet hour the planner believes that there is none, and a join would read every row
 * of a backlog for each delivery.
 */
export const undeliveredRow = (id: string): string =>
  `(SELECT * FROM webhooks_undelivered WHERE delivery_id = ${id} LIMIT 1)`;
