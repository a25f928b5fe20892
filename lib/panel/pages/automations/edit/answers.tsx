import { useState } from 'react';
import { checkDestinationUrl } from '../../../../links/destination-url.ts';
import { messagingLimits as limits } from '../../../../platforms/instagram/limits.ts';
import { characterCount } from '../../../../platforms/shared/text.ts';
import type { Account } from '../../../accounts/account.ts';
import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/checkbox.tsx';
import { join } from '../../../components/classes.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { Muted } from '../../../components/layout.tsx';
import { Link } from '../../../components/link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { TextArea } from '../../../components/text-area.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import { useMe } from '../../../workspace.tsx';
import { isStartedByMessages } from '../automation.ts';
import type { Draft, DraftButton } from './draft.ts';
import classes from './form.module.css';
import { type Size, type Sizes, sizesOf } from './sizes.ts';

const texts = words.automationsPage.form;

interface AnswersProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  account: Account | undefined;
}

/** The answers that people get: the public reply, and the private message with its buttons and gate. */
export function Answers({ draft, change, account }: AnswersProps) {
  const sizes = sizesOf(draft, useMe().linkUrl);
  if (isStartedByMessages(draft))
    return (
      <Section title={texts.message.title} lead={texts.message.onceByMessage} isCard>
        <Message draft={draft} change={change} account={account} sizes={sizes} />
      </Section>
    );
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
      <Checkbox
        isSelected={hasGate}
        onChange={(isOn) => change({ hasGate: isOn })}
        note={isStartedByMessages(draft) ? texts.gate.noteByMessage : texts.gate.note}
      >
        {texts.gate.on}
      </Checkbox>
      {hasGate && <Gate draft={draft} change={change} sizes={sizes} />}
    </>
  );
}

function Gate({ draft, change, sizes }: Omit<AnswersProps, 'account'> & { sizes: Sizes }) {
  const { gate } = draft;
  const set = (changes: Partial<Draft['gate']>) => change({ gate: { ...gate, ...changes } });
  return (
    <div className={classes.gate}>
      {!isStartedByMessages(draft) && (
        <SizedText
          name="followGate.message"
          label={texts.gate.message}
          value={gate.message}
          onChange={(message) => set({ message })}
          size={sizes.gateMessage}
          placeholder={texts.gate.messagePlaceholder}
          rows={2}
        />
      )}
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

const buttonTexts = words.automationsPage.form.message;
const most = limits.buttonTitleCharacters;

/** Says how long the label of a button is. */
const titleHelp = (title: string): string =>
  words.automationsPage.form.characters(characterCount(title), most);
const titleProblem = (title: string): string | null =>
  characterCount(title) > most ? words.automationsPage.form.tooLong : null;

/** People leave out what browsers leave out. */
const withScheme = (url: string): string =>
  /^[\w-]+(\.[\w-]+)+([/?#:]|$)/.test(url.trim()) ? `https://${url.trim()}` : url;

const urlProblem = (url: string): string | null =>
  'url' in checkDestinationUrl(withScheme(url).trim()) ? null : words.automationsPage.form.urlProblem;

interface ButtonsFieldProps {
  buttons: readonly DraftButton[];
  onChange: (buttons: readonly DraftButton[]) => void;
}

/** The buttons below the message, each with a label and an address. */
function ButtonsField({ buttons, onChange }: ButtonsFieldProps) {
  /** The key of the button that was added last: its label gets the focus. */
  const [added, setAdded] = useState<number>();
  const add = () => {
    const key = Math.max(-1, ...buttons.map((button) => button.key)) + 1;
    setAdded(key);
    onChange([...buttons, { key, title: '', url: '' }]);
  };
  const set = (key: number, changes: Partial<DraftButton>) =>
    onChange(buttons.map((button) => (button.key === key ? { ...button, ...changes } : button)));
  return (
    <fieldset className={classes.buttons}>
      <legend>{buttonTexts.buttons}</legend>
      {buttons.map(({ key, title, url }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset has a legend in each of its lines
        <div key={key} role="group" aria-label={buttonTexts.button(index + 1)} className={classes.button}>
          <TextField
            name={`buttons[${index}].title`}
            label={buttonTexts.buttonTitle}
            autoFocus={key === added}
            help={titleHelp(title)}
            value={title}
            onChange={(text) => set(key, { title: text })}
            validate={titleProblem}
            isRequired
            autoComplete="off"
          />
          <TextField
            name={`buttons[${index}].url`}
            label={buttonTexts.buttonUrl}
            inputMode="url"
            onBlur={() => set(key, { url: withScheme(url) })}
            validate={urlProblem}
            value={url}
            onChange={(text) => set(key, { url: text })}
            placeholder="https://"
            isRequired
            autoComplete="off"
          />
          <div className={classes.removeButton}>
            <IconButton
              icon="trash"
              label={buttonTexts.removeButton(index + 1)}
              onPress={() => onChange(buttons.filter((button) => button.key !== key))}
            />
          </div>
        </div>
      ))}
      {buttons.length < limits.buttons ? (
        <div>
          <Button size="small" icon="plus" onPress={add}>
            {buttonTexts.addButton}
          </Button>
        </div>
      ) : (
        <Muted>{buttonTexts.mostButtons(limits.buttons)}</Muted>
      )}
    </fieldset>
  );
}

interface SizedTextProps {
  name: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  size: Size;
  placeholder?: string;
  rows?: number;
}

/** A text with how long it is as it is sent. */
function SizedText({ size, ...rest }: SizedTextProps) {
  const { used, most, unit, isShortened, isAsText } = size;
  const isOver = used > most;
  return (
    <TextArea
      {...rest}
      isRequired
      help={
        <span className={join(classes.size, isOver && classes.over)}>
          {texts[unit](used, most)}
          {isShortened && ` (${texts.asSent})`}
          {isAsText && ` (${texts.asText})`}
        </span>
      }
      validate={() => (isOver ? texts.tooLong : null)}
    />
  );
}
