import { useLayoutEffect, useState } from 'preact/hooks';
import { OTHER_PERSON, SIGNED_OUT } from './calls.ts';
import { Asking } from './parts/confirm.tsx';
import { OtherPerson } from './session/other-person.tsx';
import { type Me, SessionContext, whoAmI } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { Shell } from './shell.tsx';

type Who = { readonly me?: Me; readonly known: boolean; readonly ended: boolean; readonly other?: true };

/** Nothing is shown before it is known who looks. */
export const App = () => {
  const [who, setWho] = useState<Who>({ known: false, ended: false });
  useLayoutEffect(() => {
    whoAmI().then(
      (me) => setWho({ me, known: true, ended: false }),
      () => setWho({ known: true, ended: false }),
    );
    const ended = () => setWho(({ me, ended }) => ({ known: true, ended: ended || me !== undefined }));
    const other = () => setWho((before) => ({ ...before, other: true }));
    addEventListener(SIGNED_OUT, ended);
    addEventListener(OTHER_PERSON, other);
    return () => {
      removeEventListener(SIGNED_OUT, ended);
      removeEventListener(OTHER_PERSON, other);
    };
  }, []);
  const { me, known, ended, other } = who;
  if (!known) return null;
  if (me && other) return <OtherPerson me={me} />;
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
