import type { Me } from './session.ts';

/** What was shown to one is not done in the name of another. */
export const OtherPerson = ({ me: { id, name } }: { me: Me }) => (
  <main class="sign-in">
    <h1>Cointill console</h1>
    <p role="alert">
      Somebody else has signed in in another window of this browser. This page was of {name ?? `token ${id}`}: nothing
      more is done by it.
    </p>
    <button type="button" class="main" onClick={() => location.reload()}>
      Go on as who is signed in now
    </button>
  </main>
);
