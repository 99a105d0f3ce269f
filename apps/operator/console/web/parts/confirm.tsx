import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { CallError, reasonOf } from '../calls.ts';
import { confirmToken } from '../session/session.ts';

export type Question = {
  readonly title: string;
  /** What is now, what will be, and how many it touches. */
  readonly children: ComponentChildren;
  readonly label: string;
  /** Asked for a reason, and for the token where it was not shown a moment ago. */
  readonly dangerous?: boolean;
  readonly act: (reason: string) => Promise<unknown>;
};

type Ask = (question: Question) => void;

const AskContext = createContext<Ask>(() => undefined);

/** Asks before something is done, in a dialog that gives the focus back. */
export const useAsk = (): Ask => useContext(AskContext);

const NEEDS_TOKEN = 'session_confirmation_needed';

type FieldsProps = { readonly dangerous: boolean; readonly needsToken: boolean };

const Fields = ({ dangerous, needsToken }: FieldsProps) => (
  <>
    {dangerous && (
      <label>
        Reason, for the audit trail
        <textarea name="reason" required maxlength={500} rows={2} />
      </label>
    )}
    {needsToken && (
      <label>
        Your token again
        <input name="token" type="password" required autocomplete="off" />
      </label>
    )}
  </>
);

const Dialog = ({ question, onDone }: { question: Question; onDone: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [needsToken, setNeedsToken] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => dialog.current?.showModal(), []);

  const attempt = async (form: FormData): Promise<void> => {
    const token = form.get('token');
    if (typeof token === 'string') await confirmToken(token.trim());
    await question.act(String(form.get('reason') ?? '').trim());
    dialog.current?.close();
  };
  const failed = (error: unknown): void => {
    const wantsToken = error instanceof CallError && error.code === NEEDS_TOKEN;
    if (wantsToken) setNeedsToken(true);
    setProblem(wantsToken ? 'Show your token again to go on.' : reasonOf(error));
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    // A double click comes before anything is drawn anew.
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(undefined);
    await attempt(new FormData(event.currentTarget as HTMLFormElement)).catch(failed);
    running.current = false;
    setBusy(false);
  };
  const { title, children, label, dangerous = false } = question;
  return (
    <dialog class="asked" ref={dialog} aria-labelledby="question" onClose={onDone}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="question">{title}</h2>
        {children}
        <Fields dangerous={dangerous} needsToken={needsToken} />
        <p role="alert" class="problem">
          {problem}
        </p>
        <div class="buttons">
          <button type="submit" class="main" disabled={busy}>
            {label}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Leave it
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
