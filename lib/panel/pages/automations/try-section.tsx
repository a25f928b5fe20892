import { useState } from 'react';
import { automationLimits } from '../../../automations/limits.ts';
import type { tryAutomationOperation } from '../../../automations/operations.ts';
import { useSend } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Stack } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { words } from '../../words/words.ts';
import classes from './detail.module.css';

const texts = words.automationPage.try;

interface TrySectionProps {
  id: string;
  hasGate: boolean;
  /** True if messages start the automation: who follows gets the message at once. */
  isByMessages: boolean;
}

/** Asks the service what a comment would set off, with the matcher and the texts of the worker. */
export function TrySection({ id, hasGate, isByMessages }: TrySectionProps) {
  const [text, setText] = useState('');
  const attempt = useSend<typeof tryAutomationOperation>('POST', '/v1/comment-automations/{id}/try');
  const submit = () => attempt.mutate({ path: { id }, body: { text } });
  const isCurrent = attempt.variables?.body?.text === text;
  const messageTitle = !hasGate ? texts.message : isByMessages ? texts.toFollowers : texts.question;
  return (
    <Section title={texts.title} lead={texts.lead} isCard>
      <Form onSubmit={submit} error={attempt.error} errorTitle={texts.failed}>
        <TextArea
          name="text"
          label={texts.label}
          value={text}
          onChange={setText}
          rows={2}
          maxLength={automationLimits.commentCharacters}
          isRequired
          validate={(value) => (value.trim() === '' ? texts.empty : null)}
        />
        <div>
          <Button type="submit" isPending={attempt.isPending}>
            {texts.action}
          </Button>
        </div>
      </Form>
      {attempt.data && isCurrent && <Result result={attempt.data.result} messageTitle={messageTitle} />}
    </Section>
  );
}

interface ResultProps {
  result: ReplyOf<typeof tryAutomationOperation>['result'];
  messageTitle: string;
}

function Result({ result, messageTitle }: ResultProps) {
  const { matches, keyword, isActive, commentReply, dmMessage } = result;
  const answers = [
    { title: texts.reply, text: commentReply },
    { title: messageTitle, text: dmMessage },
  ].filter(({ text }) => text !== null);
  return (
    <Stack gap={3}>
      <Notice tone={matches ? 'good' : 'info'} isLive>
        <p>
          {matches ? (keyword === null ? texts.matchesAll : texts.matches(keyword)) : texts.misses}
          {matches && !isActive && ` ${texts.inactive}`}
        </p>
      </Notice>
      {answers.map(({ title, text }) => (
        <div key={title} className={classes.answer}>
          <h3>{title}</h3>
          <p>
            <bdi>{text}</bdi>
          </p>
        </div>
      ))}
    </Stack>
  );
}
