import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalBody } from '../../../approvals/approval-bodies.ts';
import { call } from '../calls.ts';
import { useMe } from '../session/session.ts';
import { useAttempt, type Wanted } from './attempt.ts';
import { type Field, FieldRow } from './fields.tsx';
import type { Question } from './question.ts';

type Ask = (question: Question) => void;

const AskContext = createContext<Ask>(() => undefined);

/** Asks before something is done, in a dialog that gives the focus back. */
export const useAsk = (): Ask => useContext(AskContext);

const ASKED_EVERY_MS = 2_000;

const Fields = ({ fields, wanted }: { fields: readonly Field[]; wanted: Wanted }) => (
  <>
    {fields.map((field) => (
      <FieldRow key={field.name} field={field} />
    ))}
    {wanted.reason && (
      <label>
        Reason, for the audit trail
        <textarea name="reason" required maxlength={500} rows={2} />
      </label>
    )}
    {wanted.token && <Again />}
  </>
);

/** Whoever has no token goes to the provider, in a window of its own: what is filled in here stays. */
const Again = () =>
  useMe().confirms_by === 'provider' ? (
    <p>
      <a href="/console/session/provider?confirm" target="_blank" rel="noreferrer">
        Show your provider again who you are
      </a>
    </p>
  ) : (
    <label>
      Your token again
      <input name="token" type="password" required autocomplete="off" />
    </label>
  );

/** Until somebody else has decided; what was asked for is sent again once he has let it through. */
const useApproval = (approval: number | undefined, decided: (state: string) => void): void => {
  useEffect(() => {
    if (approval === undefined) return;
    // What comes after the first that says how it ended is late, and begins nothing once more.
    let over = false;
    const ended = (state: string): void => {
      if (over || state === 'asked') return;
      over = true;
      decided(state);
    };
    const timer = setInterval(() => {
      call<ApprovalBody>(`/operator/approvals/${approval}`, { byItself: true }).then(
        ({ state }) => ended(state),
        () => undefined,
      );
    }, ASKED_EVERY_MS);
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [approval]);
};

const Dialog = ({ question, onDone }: { question: Question; onDone: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const close = (): void => dialog.current?.close();
  const { busy, wanted, problem, approval, shown, send, decided, leave } = useAttempt(question, close);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const cancel = (event: Event): void => {
    if (!leave()) event.preventDefault();
  };
  // A second Escape closes it whatever is said to the first.
  const closed = (): void => {
    if (leave()) onDone();
    else dialog.current?.showModal();
  };
  useApproval(approval, (state) => decided(state, form.current));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void send(new FormData(event.currentTarget as HTMLFormElement));
  };
  const { title, children, label, fields = [] } = question;
  return (
    <dialog class="asked" ref={dialog} aria-labelledby="question" onCancel={cancel} onClose={closed}>
      <form ref={form} onSubmit={submit}>
        <h2 id="question">{title}</h2>
        {shown ?? (
          <>
            {children}
            <Fields fields={fields} wanted={wanted} />
          </>
        )}
        <p role="status">
          {busy === 'acting' && 'It is sent: its answer is waited for.'}
          {approval !== undefined &&
            `This waits for a second person (approval ${approval}); it goes on by itself then.`}
        </p>
        <p role="alert" class="problem">
          {problem}
        </p>
        <div class="buttons">
          {shown === undefined && (
            <button type="submit" class="main" disabled={busy !== undefined || approval !== undefined}>
              {label}
            </button>
          )}
          <button type="button" onClick={() => leave() && close()} disabled={busy === 'acting'}>
            {shown === undefined ? 'Leave it' : 'Close'}
          </button>
        </div>
      </form>
    </dialog>
  );
};

export const Asking = ({ children }: { children: ComponentChildren }) => {
  const [question, setQuestion] = useState<Question>();
  return (
    <AskContext.Provider value={setQuestion}>
      {children}
      {question && <Dialog question={question} onDone={() => setQuestion(undefined)} />}
    </AskContext.Provider>
  );
};
