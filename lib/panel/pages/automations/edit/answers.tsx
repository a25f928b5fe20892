import type { Account } from '../../../accounts/account.ts';
import { Checkbox } from '../../../components/checkbox.tsx';
import { Link } from '../../../components/link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import { useMe } from '../../../workspace.tsx';
import { ButtonsField, titleHelp, titleProblem } from './buttons-field.tsx';
import type { Draft } from './draft.ts';
import classes from './form.module.css';
import { SizedText } from './sized-text.tsx';
import { type Sizes, sizesOf } from './sizes.ts';

const texts = words.automationsPage.form;

interface AnswersProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  account: Account | undefined;
}

/** What people get: the public reply, and the private message with what belongs to it. */
export function Answers({ draft, change, account }: AnswersProps) {
  const sizes = sizesOf(draft, useMe().linkUrl);
  return (
    <>
      <Section title={texts.reply.title} isCard>
        <Checkbox isSelected={draft.hasReply} onChange={(hasReply) => change({ hasReply })}>
          {texts.reply.on}
        </Checkbox>
        {draft.hasReply && (
          <SizedText
            name="commentReply"
            label={texts.reply.text}
            value={draft.commentReply}
            onChange={(commentReply) => change({ commentReply })}
            size={sizes.commentReply}
            placeholder={texts.reply.placeholder}
            rows={2}
          />
        )}
      </Section>
      <Section title={texts.message.title} isCard>
        <Checkbox
          isSelected={draft.hasMessage}
          onChange={(hasMessage) => change({ hasMessage })}
          note={texts.message.once}
        >
          {texts.message.on}
        </Checkbox>
        {draft.hasMessage && <Message draft={draft} change={change} account={account} sizes={sizes} />}
      </Section>
      {!draft.hasReply && !draft.hasMessage && (
        <Notice tone="warn" isLive>
          {texts.neither}
        </Notice>
      )}
    </>
  );
}

function Message({ draft, change, account, sizes }: AnswersProps & { sizes: Sizes }) {
  const { buttons, hasGate, trackLinks } = draft;
  return (
    <>
      {account && !account.capabilities.includes('messages') && (
        <Notice
          tone="warn"
          actions={
            <Link to="/accounts/$id" params={{ id: account.id }}>
              {texts.reconnect}
            </Link>
          }
        >
          {texts.noMessages}
        </Notice>
      )}
      <SizedText
        name="dmMessage"
        label={texts.message.text}
        value={draft.dmMessage}
        onChange={(dmMessage) => change({ dmMessage })}
        size={sizes.dmMessage}
        placeholder={texts.message.placeholder}
      />
      <ButtonsField buttons={buttons} onChange={(changed) => change({ buttons: changed })} />
      <Checkbox
        isSelected={trackLinks}
        onChange={(isOn) => change({ trackLinks: isOn })}
        note={texts.message.trackNote}
      >
        {texts.message.track}
      </Checkbox>
      <Checkbox isSelected={hasGate} onChange={(isOn) => change({ hasGate: isOn })} note={texts.gate.note}>
        {texts.gate.on}
      </Checkbox>
      {hasGate && <Gate draft={draft} change={change} sizes={sizes} />}
    </>
  );
}

function Gate({ draft: { gate }, change, sizes }: Omit<AnswersProps, 'account'> & { sizes: Sizes }) {
  const set = (changes: Partial<Draft['gate']>) => change({ gate: { ...gate, ...changes } });
  return (
    <div className={classes.gate}>
      <SizedText
        name="followGate.message"
        label={texts.gate.message}
        value={gate.message}
        onChange={(message) => set({ message })}
        size={sizes.gateMessage}
        placeholder={texts.gate.messagePlaceholder}
        rows={2}
      />
      <TextField
        name="followGate.buttonLabel"
        label={texts.gate.label}
        help={titleHelp(gate.buttonLabel)}
        value={gate.buttonLabel}
        onChange={(buttonLabel) => set({ buttonLabel })}
        placeholder={texts.gate.labelPlaceholder}
        validate={titleProblem}
        isRequired
        autoComplete="off"
      />
      <SizedText
        name="followGate.notFollowingMessage"
        label={texts.gate.refusal}
        value={gate.notFollowingMessage}
        onChange={(notFollowingMessage) => set({ notFollowingMessage })}
        size={sizes.gateRefusal}
        placeholder={texts.gate.refusalPlaceholder}
        rows={2}
      />
    </div>
  );
}
