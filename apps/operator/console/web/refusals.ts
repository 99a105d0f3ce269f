/** Why a call did not do what it was sent for, in words for whoever sent it. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** The one that it waits for. */
  readonly approval: number | undefined;

  constructor(status: number, said: string, { code, approval }: { code?: string; approval?: number } = {}) {
    super(said);
    this.status = status;
    this.code = code;
    this.approval = approval;
  }
}

/** What changes something may have arrived, whatever stands between here and the service says. */
export const unanswered = (status: number, changes: boolean, told?: string): CallError => {
  const lost = changes ? 'The connection was lost before the answer came' : 'The service cannot be reached';
  const why = told ?? (status === 0 ? lost : `There was no answer of the service (${status})`);
  return new CallError(status, changes ? `${why}: it may have been done. Look before you do it again.` : why);
};

type Told = {
  readonly detail?: unknown;
  readonly code?: string;
  readonly approval?: number;
  readonly error?: { readonly message?: unknown };
};

type Issue = { readonly path: readonly (string | number)[]; readonly message: string };

/** What is wrong with which field of what was sent. */
const issuesIn = ({ error }: Told): string | undefined => {
  try {
    const issues = JSON.parse(String(error?.message)) as readonly Issue[];
    return issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ');
  } catch {
    return undefined;
  }
};

/** What the server refused, in its own words; what says nothing of the kind is of a proxy before it. */
export const refusalIn = (status: number, body: unknown, changes: boolean): CallError => {
  const told: Told = typeof body === 'object' && body !== null ? body : {};
  const said = typeof told.detail === 'string' ? told.detail : issuesIn(told);
  return said === undefined ? unanswered(status, changes) : new CallError(status, said, told);
};
