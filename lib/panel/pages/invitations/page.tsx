import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type {
  acceptInvitationOperation,
  declineInvitationOperation,
  listInvitationsOperation,
  readMeOperation,
} from '../../../people/operations.ts';
import { safeReturnTo } from '../../../people/return-to.ts';
import { needsSignIn } from '../../api/api-error.ts';
import { useGet, useSend } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { workspaceChoice } from '../../api/workspace-choice.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FocusKeeper } from '../../components/focus-keeper.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { Reading } from '../../components/reading.tsx';
import { Section } from '../../components/section.tsx';
import { Greeting } from '../../shell/greeting.tsx';
import classes from '../../shell/shell.module.css';
import { browserZone, formatTime } from '../../time.ts';
import { words } from '../../words/words.ts';
import { shortId } from '../../workspace.tsx';

const texts = words.invitationsPage;

type Invitation = ReplyOf<typeof listInvitationsOperation>['invitations'][number];

/** The invitations of the person. A sign-in leads here if there are any; then the person goes on to the page they wanted. */
export function InvitationsPage() {
  const { next } = useSearch({ from: '/invitations' });
  const router = useRouter();
  const me = useGet<typeof readMeOperation>('/panel/me');
  const invitations = useGet<typeof listInvitationsOperation>('/panel/invitations');
  useEffect(() => {
    document.title = words.shared.pageTitle(texts.title);
  }, []);
  if (needsSignIn(invitations.error)) return <Greeting returnTo="/invitations" />;
  const goOn = () => void router.navigate({ href: safeReturnTo(next, location.origin) });
  return (
    <main className={classes.alone}>
      <FocusKeeper>
        <Stack gap={2}>
          <h1>{texts.title}</h1>
          {me.data && <Muted>{texts.lead(me.data.person.email)}</Muted>}
        </Stack>
        <Reading of={invitations}>
          {({ invitations: open }) =>
            open.length === 0 ? (
              <EmptyState
                icon="accounts"
                title={texts.none}
                action={
                  <Button variant="primary" onPress={goOn}>
                    {texts.goOn}
                  </Button>
                }
              >
                <p>{texts.noneText}</p>
              </EmptyState>
            ) : (
              <Stack>
                <Muted>{texts.careful}</Muted>
                {open.map((invitation) => (
                  <Asked
                    key={invitation.id}
                    invitation={invitation}
                    onAnswered={() => {
                      if (open.length === 1) goOn();
                    }}
                  />
                ))}
                <Row>
                  <Button onPress={goOn}>{texts.later}</Button>
                </Row>
              </Stack>
            )
          }
        </Reading>
      </FocusKeeper>
    </main>
  );
}

interface AskedProps {
  invitation: Invitation;
  onAnswered: () => void;
}

/** Asks for an answer to one invitation. */
function Asked({ invitation, onAnswered }: AskedProps) {
  const { id, workspaceId, workspaceName, role, endsAt } = invitation;
  const queries = useQueryClient();
  const accept = useSend<typeof acceptInvitationOperation>('POST', '/panel/invitations/{id}/accept', changed);
  const decline = useSend<typeof declineInvitationOperation>('DELETE', '/panel/invitations/{id}', changed);
  const error = accept.error ?? decline.error;
  const isPending = accept.isPending || decline.isPending;
  const path = { id };
  const title = texts.workspace(workspaceName, shortId(workspaceId));
  const join = () =>
    accept.mutate(
      { path, body: { role } },
      {
        onSuccess: () => {
          workspaceChoice.choose(workspaceId);
          void queries.invalidateQueries({ queryKey: ['me'] });
          onAnswered();
        },
      },
    );
  return (
    <Section title={title} isCard>
      <Stack gap={2}>
        <p>
          <bdi>{inviterOf(invitation)}</bdi>
        </p>
        <p>{texts.as[role]}</p>
        <Row>
          <Muted as="span">
            {texts.workspaceId}: <code>{workspaceId}</code>
          </Muted>
        </Row>
        <Muted>{texts.until(formatTime(new Date(endsAt), browserZone(), 'date'))}</Muted>
      </Stack>
      {error && <ErrorNotice error={error} title={texts.notAnswered} />}
      <Row>
        <Button
          variant="primary"
          aria-label={texts.acceptOf(title)}
          isPending={accept.isPending}
          isDisabled={isPending && !accept.isPending}
          onPress={join}
        >
          {texts.accept}
        </Button>
        <Button
          aria-label={texts.declineOf(title)}
          isPending={decline.isPending}
          isDisabled={isPending && !decline.isPending}
          onPress={() => decline.mutate({ path }, { onSuccess: onAnswered })}
        >
          {texts.decline}
        </Button>
      </Row>
    </Section>
  );
}

const changed = ['/panel/invitations'];

function inviterOf({ invitedBy: { kind, name, email } }: Invitation): string {
  if (kind === 'operator') return texts.byOperator;
  if (email === null) return texts.byFormer;
  return texts.byMember(name === null ? email : `${name} (${email})`);
}
