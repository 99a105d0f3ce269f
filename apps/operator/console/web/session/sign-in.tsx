import { useState } from 'preact/hooks';
import { reasonOf, withQuery } from '../calls.ts';
import { type Me, signIn } from './session.ts';

const provider = document.querySelector<HTMLMetaElement>('meta[name=cointill-provider]')?.content;

/** By the operator's own provider; where somebody wanted to go he is sent from there. */
const ByProvider = () => {
  const page = location.pathname.replace(/^\/console/, '') + location.search;
  return (
    <p>
      <a href={withQuery('/console/session/provider', { page })} target="_self">
        Sign in at {provider}
      </a>
    </p>
  );
};

/** The token goes to the server once, and is kept nowhere here. */
export const SignIn = ({ onSignedIn, ended }: { onSignedIn: (me: Me) => void; ended: boolean }) => {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const token = String(new FormData(form).get('token') ?? '').trim();
    setBusy(true);
    try {
      onSignedIn(await signIn(token));
    } catch (error) {
      setProblem(reasonOf(error));
      setBusy(false);
      form.querySelector('input')?.select();
    }
  };
  return (
    <main class="sign-in">
      <h1>Cointill console</h1>
      {ended && <p role="status">Your session is over. Sign in to go on where you were.</p>}
      {provider && <ByProvider />}
      <form onSubmit={(event) => void submit(event)}>
        <label for="token">Operator token</label>
        <input id="token" name="token" type="password" required autocomplete="off" spellcheck={false} />
        <button type="submit" class="main" disabled={busy}>
          Sign in
        </button>
        <p role="alert" class="problem">
          {problem}
        </p>
      </form>
    </main>
  );
};
