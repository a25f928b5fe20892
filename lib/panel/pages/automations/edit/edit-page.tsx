import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { editAutomationOperation, readAutomationOperation } from '../../../../automations/operations.ts';
import { handleOf, nameOf } from '../../../accounts/account.ts';
import { PlatformMark } from '../../../accounts/platform-mark.tsx';
import { useAccountsById } from '../../../accounts/use-accounts.ts';
import { useGet, useSend } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Muted, Row } from '../../../components/layout.tsx';
import { ButtonLink, Link } from '../../../components/link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Page } from '../../../components/page.tsx';
import { Reading } from '../../../components/reading.tsx';
import { Section } from '../../../components/section.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { toast } from '../../../components/toast-list.ts';
import { words } from '../../../words/words.ts';
import { useWorkspace } from '../../../workspace.tsx';
import { type AutomationDetail, titleOf } from '../automation.ts';
import { automationPaths, useLivePosts } from '../use-automations.ts';
import { AutomationForm } from './automation-form.tsx';
import { type Draft, draftOf, isSame, toEdit } from './draft.ts';
import classes from './form.module.css';
import { useAutomationDraft } from './use-automation-draft.ts';

const texts = words.automationsPage.form;
const path = '/v1/comment-automations/{id}';

/** Changes an automation. Its account and post stay. */
export function EditAutomationPage() {
  const { id } = useParams({ from: '/shell/automations/$id/edit' });
  const { name } = useWorkspace();
  const read = useGet<typeof readAutomationOperation>(path, { path: { id } });
  return (
    <Page
      title={texts.editTitle}
      of={name}
      back={<Link to="/automations">{words.automationsPage.back}</Link>}
    >
      <Reading of={read} waiting={<Skeleton kind="card" rows={3} />}>
        {({ automation }) => <EditAutomation key={id} automation={automation} />}
      </Reading>
    </Page>
  );
}

function EditAutomation({ automation }: { automation: AutomationDetail }) {
  const { id } = automation;
  const navigate = useNavigate();
  const account = useAccountsById()?.get(automation.accountId);
  const present = draftOf(automation);
  const used = useAutomationDraft(id, present);
  const { before, finish, discard, isChanged } = used;
  const [isUnchanged, setUnchanged] = useState(false);
  const edit = useSend<typeof editAutomationOperation>('PATCH', path, automationPaths);
  const submit = (wanted: Draft) => {
    const body = toEdit(wanted, before);
    const isNothing = Object.keys(body).length === 0;
    setUnchanged(isNothing);
    if (isNothing) return;
    edit.mutate(
      { path: { id }, body },
      {
        onSuccess: () => {
          finish();
          toast({ text: texts.saved });
          void navigate({ to: '/automations/$id', params: { id } });
        },
      },
    );
  };
  return (
    <AutomationForm
      used={used}
      account={account}
      place={<Place automation={automation} />}
      isNew={false}
      isPending={edit.isPending}
      error={edit.error}
      onSubmit={submit}
      notices={
        <>
          {isChanged && !isSame(present, before) && (
            <Notice tone="warn" isLive>
              {texts.changedElsewhere}
            </Notice>
          )}
          {isUnchanged && !isChanged && (
            <Notice tone="info" isLive>
              {texts.unchanged}
            </Notice>
          )}
        </>
      }
      actions={
        <>
          <ButtonLink to="/automations/$id" params={{ id }}>
            {texts.cancel}
          </ButtonLink>
          {isChanged && (
            <Button variant="quiet" onPress={discard} isDisabled={edit.isPending}>
              {texts.discard}
            </Button>
          )}
        </>
      }
    />
  );
}

/** The account and the post, which nobody can change. */
function Place({ automation }: { automation: AutomationDetail }) {
  const { accountId, platformPostId, appliesTo } = automation;
  const accounts = useAccountsById();
  const account = accounts?.get(accountId);
  const live = useLivePosts()(accountId, platformPostId);
  const name = account && (handleOf(account) ?? nameOf(account));
  return (
    <Section title={texts.post.title} isCard>
      <Row gap={3} isOneLine>
        <PlatformMark platform="instagram" />
        <div className={classes.placeTexts}>
          <p>
            <bdi>{titleOf({ name: null, platformPostId, appliesTo }, live?.post)}</bdi>
          </p>
          <Muted>
            <bdi>{name ?? (accounts ? words.account.disconnected : '…')}</bdi>
          </Muted>
        </div>
      </Row>
    </Section>
  );
}
