import { useLayoutEffect, useState } from 'preact/hooks';
import { SIGNED_OUT } from './calls.ts';
import { Asking } from './parts/confirm.tsx';
import { type Me, SessionContext, whoAmI } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { Shell } from './shell.tsx';

type Who = { readonly me?: Me; readonly known: boolean; readonly ended: boolean };

/** Nothing is shown before it is known who looks. */
export const App = () => {
  const [who, setWho] = useState<Who>({ known: false, ended: false });
  useLayoutEffect(() => {
    whoAmI().then(
      (me) => setWho({ me, known: true, ended: false }),
      () => setWho({ known: true, ended: false }),
    );
    const ended = () => setWho(({ me, ended }) => ({ known: true, ended: ended || me !== undefined }));
    addEventListener(SIGNED_OUT, ended);
    return () => removeEventListener(SIGNED_OUT, ended);
  }, []);
  const { me, known, ended } = who;
  if (!known) return null;
  if (!me)
    return <SignIn ended={ended} onSignedIn={(signedIn) => setWho({ me: signedIn, known: true, ended: false })} />;
  return (
    <SessionContext.Provider value={me}>
      <Asking>
        <Shell onSignedOut={() => setWho({ known: true, ended: false })} />
      </Asking>
    </SessionContext.Provider>
  );
};
