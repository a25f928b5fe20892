import type { Me } from '../api/session.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Row } from '../components/layout.tsx';
import { ButtonLink } from '../components/link.tsx';
import { words } from '../words/words.ts';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

/** Greets a person who is in no workspace, and leads to the invitations. */
export function NoWorkspace({ me }: { me: Me }) {
  return (
    <main className={classes.alone}>
      <h1 className={classes.title}>{words.shared.product}</h1>
      <EmptyState
        icon="accounts"
        title={words.shared.workspaces.noneTitle}
        action={
          <Row>
            <ButtonLink to="/invitations">{words.shared.workspaces.invitations}</ButtonLink>
            <UserMenu me={me} />
          </Row>
        }
      >
        <p>{words.shared.workspaces.noneText(me.person.email)}</p>
      </EmptyState>
    </main>
  );
}
