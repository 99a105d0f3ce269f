import { useState } from 'preact/hooks';
import { reasonOf } from '../calls.ts';
import { signOut } from './session.ts';

/** Whoever goes away has to know that his session does not end by itself where this fails. */
export const SignOut = ({ onSignedOut }: { onSignedOut: () => void }) => {
  const [problem, setProblem] = useState<string>();
  const leave = (): void => {
    setProblem(undefined);
    signOut().then(onSignedOut, (error: unknown) => setProblem(`You are still signed in: ${reasonOf(error)}`));
  };
  return (
    <>
      <button type="button" onClick={leave}>
        Sign out
      </button>
      {problem && (
        <span role="alert" class="problem">
          {problem}
        </span>
      )}
    </>
  );
};
