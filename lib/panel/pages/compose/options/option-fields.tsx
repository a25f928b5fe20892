import { useState } from 'react';
import { Button as BaseButton } from 'react-aria-components/Button';
import { aiDisclosures } from '../../../../platforms/pinterest/limits.ts';
import { characterCount } from '../../../../platforms/shared/text.ts';
import { platformTitles } from '../../../accounts/platforms.ts';
import { Checkbox, CheckboxGroup } from '../../../components/checkbox.tsx';
import { Icon } from '../../../components/icon.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Clipped, Muted } from '../../../components/layout.tsx';
import { Link } from '../../../components/link.tsx';
import { Select } from '../../../components/select.tsx';
import { TextArea } from '../../../components/text-area.tsx';
import { TextField } from '../../../components/text-field.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import { useComposing } from '../context.ts';
import { AtField, InheritAgain, Inherited, Said, useSaid } from '../fields.tsx';
import type {
  Choice,
  Control,
  ControlProps,
  Flag,
  List,
  OptionFieldsProps,
  Special,
  Text,
} from './control.ts';
import { factsOf, shownControls } from './controls.ts';
import classes from './options.module.css';
import {
  BoardControl,
  BoardSectionControl,
  BrandedControl,
  DisclosureControl,
  InteractionControl,
  MadeForKidsControl,
  PlaylistControl,
  PrivacyLevelControl,
  TiktokNote,
} from './remote-choices.tsx';
import {
  CaptionsControl,
  CarouselTextsControl,
  LinkedinPollControl,
  SpoilersControl,
  ThreadsPollControl,
  UserTagsControl,
} from './row-lists.tsx';
import { TextAttachmentControl, ThreadControl } from './thread-control.tsx';

export { controlOf } from './controls.ts';

/** The options of one account: what matters, then the rest on request, then what no control is for. */
export function OptionFields(props: OptionFieldsProps) {
  const { platform, media, options, keyOf, omitted } = props;
  const { problems, warnings } = useComposing();
  const { usual, rare, others } = shownControls(platform, factsOf(media, options), omitted);
  const isCalledFor = rare.some(
    ([name]) =>
      options[name] !== undefined ||
      [...problems, ...warnings].some(({ place }) => place.key === keyOf(name)),
  );
  const [isOpened, setIsOpened] = useState(false);
  const isOpen = isOpened || isCalledFor;
  if (usual.length + rare.length + others.length === 0) return null;
  return (
    <section className={classes.options} aria-label={words.options.title(platformTitles[platform])}>
      <p className={classes.title}>{words.options.title(platformTitles[platform])}</p>
      {platform === 'tiktok' && <TiktokNote {...props} />}
      {usual.map(([name, control]) => (
        <Field key={name} {...props} name={name} control={control} />
      ))}
      {rare.length > 0 && !isCalledFor && (
        <div>
          <BaseButton
            className={classes.disclosure}
            aria-expanded={isOpen}
            onPress={() => setIsOpened(!isOpen)}
          >
            <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} />
            {words.options.more}
          </BaseButton>
        </div>
      )}
      {isOpen && rare.map(([name, control]) => <Field key={name} {...props} name={name} control={control} />)}
      {others.length > 0 && <Others {...props} names={others} />}
    </section>
  );
}

function Field({ name, control, ...props }: OptionFieldsProps & { name: string; control: Control }) {
  const { keyOf, accountId, options, onChange } = props;
  const of = keyOf(name);
  const { accounts } = useComposing();
  const account = accounts.get(accountId);
  const lacks =
    control.needs !== undefined && account !== undefined && !account.capabilities.includes(control.needs);
  // Whoever has not asked for it need not see it twice: `OptionControl` of what cannot work would only mislead.
  // A comment that all share it has, though: an account must be able to do without.
  const inherits = name === 'firstComment' && Boolean(props.sharedComment);
  if (lacks && options[name] === undefined && !inherits)
    return (
      <div className={classes.lacking}>
        <p className={textClasses.label}>{control.label}</p>
        <Muted>
          {words.options.needsFeature(words.options.features[control.needs ?? ''] ?? control.label)}{' '}
          <Link to="/accounts/$id" params={{ id: accountId }}>
            {words.options.reconnect}
          </Link>
        </Muted>
        <Said of={of} />
      </div>
    );
  return (
    <AtField of={of}>
      <OptionControl
        {...props}
        name={name}
        control={control}
        of={of}
        value={options[name]}
        set={(value) => onChange(name, value)}
      />
    </AtField>
  );
}

/** Options that the API has set, and no control is for. */
function Others({ names, options, keyOf, onChange }: OptionFieldsProps & { names: readonly string[] }) {
  return (
    <div className={classes.others}>
      <p className={textClasses.label}>{words.options.others}</p>
      <Muted>{words.options.othersHelp}</Muted>
      <ul>
        {names.map((name) => (
          <li key={name} id={`compose-${keyOf(name)}`}>
            <code>
              {name}: {JSON.stringify(options[name])}
            </code>
            <IconButton
              icon="cross"
              size="small"
              label={words.options.removeOther(name)}
              onPress={() => onChange(name, undefined)}
            />
            <Said of={keyOf(name)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The control of an option. */
function OptionControl({ control, ...props }: ControlProps) {
  switch (control.kind) {
    case 'flag':
      return <FlagControl {...props} control={control} />;
    case 'choice':
      return <ChoiceControl {...props} control={control} />;
    case 'text':
      return <TextControl {...props} control={control} />;
    case 'list':
      return <ListControl {...props} control={control} />;
    case 'special':
      return <SpecialControl {...(props as ControlProps<Special>)} control={control} />;
  }
}

/** A checkbox. The usual value is not sent, so that a later change of the platform's own applies. */
function FlagControl({ control, value: given, of, set }: ControlProps<Flag>) {
  const { label, help, usual } = control;
  const value = typeof given === 'boolean' ? given : usual;
  return (
    <>
      <Checkbox
        isSelected={value}
        onChange={(isSelected) => set(isSelected === usual ? undefined : isSelected)}
        note={help}
      >
        {label}
      </Checkbox>
      <Said of={of} />
    </>
  );
}

const unset = 'unset';

function ChoiceControl({ control, value: given, of, set }: ControlProps<Choice>) {
  const { label, help, choices, usual } = control;
  const said = useSaid(of);
  const none =
    'none' in control && typeof control.none === 'string' ? control.none : words.shared.fields.choose;
  const known = Object.entries(choices).map(([id, name]) => ({
    id,
    name: id === usual ? words.options.usual(name) : name,
  }));
  const isUnknown = typeof given === 'string' && !Object.hasOwn(choices, given);
  return (
    <Select
      label={label}
      help={said.help(help)}
      choices={[
        ...(usual === undefined ? [{ id: unset, name: none }] : []),
        ...known,
        ...(isUnknown ? [{ id: given, name: given }] : []),
      ]}
      value={typeof given === 'string' ? given : (usual ?? unset)}
      onChange={(key) => set(key === unset || key === usual ? undefined : key)}
      {...said.field}
    />
  );
}

function TextControl({ name, control, content, platform, value: given, of, set }: ControlProps<Text>) {
  const { label, help, most, isCountedInUnits, rows, type } = control;
  const said = useSaid(of);
  const value = typeof given === 'string' ? given : '';
  const used = isCountedInUnits ? value.length : characterCount(value);
  const isNear = most !== undefined && used > most * 0.8;
  const shown = {
    label,
    value,
    onChange: (text: string) => set(text === '' ? undefined : text),
    ...said.field,
    help: said.help(isNear ? `${help ?? ''} ${words.shared.characters(used, most)}` : help),
    placeholder: platform === 'youtube' && name === 'title' ? firstLineOf(content) : '',
  };
  return rows === undefined ? (
    <TextField {...shown} autoComplete="off" {...(type && { type })} />
  ) : (
    <TextArea {...shown} rows={rows} />
  );
}

/** Returns what YouTube shows as the title if there is none: the first line of the text, without the signs that it does not take. */
const firstLineOf = (content: string): string => {
  const lines = content.split(/[\r\n]+/).map((line) => line.replace(/[<>]/g, '').trim());
  return [...(lines.find((line) => line !== '') ?? '')].slice(0, 100).join('');
};

/** Words with commas. What is typed stays as it is typed until the field is left. */
function ListControl({ control: { label, help }, value: given, of, set }: ControlProps<List>) {
  const words = Array.isArray(given) ? given.map(String) : typeof given === 'string' ? [given] : [];
  const [typed, setTyped] = useState<string>();
  const said = useSaid(of);
  return (
    <TextField
      label={label}
      help={said.help(help)}
      value={typed ?? words.join(', ')}
      onChange={(text) => {
        setTyped(text);
        const list = text
          .split(',')
          .map((word) => word.trim())
          .filter(Boolean);
        set(list.length === 0 ? undefined : list);
      }}
      onBlur={() => setTyped(undefined)}
      {...said.field}
      autoComplete="off"
    />
  );
}

const specials = {
  aiDisclosures: AiDisclosuresControl,
  board: BoardControl,
  boardSection: BoardSectionControl,
  branded: BrandedControl,
  captions: CaptionsControl,
  carouselTexts: CarouselTextsControl,
  disclosure: DisclosureControl,
  fileIndex: FileIndexControl,
  firstComment: FirstCommentControl,
  interaction: InteractionControl,
  linkedinPoll: LinkedinPollControl,
  madeForKids: MadeForKidsControl,
  playlist: PlaylistControl,
  privacyLevel: PrivacyLevelControl,
  spoilers: SpoilersControl,
  textAttachment: TextAttachmentControl,
  thread: ThreadControl,
  threadsPoll: ThreadsPollControl,
  userTags: UserTagsControl,
};

/** A control that only one option has. */
function SpecialControl(props: ControlProps<Special>) {
  const Control = specials[props.control.control];
  return <Control {...props} />;
}

const texts = words.options.firstComment;

/** The comment below the post. An empty one of its own means none, although the others have one. */
function FirstCommentControl({ sharedComment, value: given, of, set }: ControlProps<Special>) {
  const said = useSaid(of);
  const own = given;
  const isOwn = typeof own === 'string';
  if (!isOwn && sharedComment !== undefined) {
    if (sharedComment === '') return null;
    return (
      <Inherited
        label={texts.label}
        says={texts.inherited}
        action={texts.override}
        onOverride={() => set(sharedComment)}
      >
        <Clipped as="p" lines={3}>
          {sharedComment}
        </Clipped>
      </Inherited>
    );
  }
  const isInheriting = sharedComment !== undefined;
  return (
    <>
      <TextArea
        label={texts.label}
        rows={2}
        value={isOwn ? own : ''}
        onChange={(text) => set(text === '' && !isInheriting ? undefined : text)}
        {...said.field}
        help={said.help(isInheriting && texts.help)}
      />
      {isInheriting && <InheritAgain action={texts.inherit} onPress={() => set(undefined)} />}
    </>
  );
}

/** The use of AI, as a person says it; nothing is sent if nothing is chosen. */
function AiDisclosuresControl({ control, value: given, of, set }: ControlProps<Special>) {
  const values: readonly unknown[] = Array.isArray(given) ? given : [];
  return (
    <>
      <CheckboxGroup
        label={control.label}
        value={values.map(String)}
        onChange={(chosen) => set(chosen.length === 0 ? undefined : chosen)}
      >
        {aiDisclosures.map((value) => (
          <Checkbox key={value} value={value}>
            {words.options.pinterest.aiDisclosures.choices[value]}
          </Checkbox>
        ))}
      </CheckboxGroup>
      <Said of={of} />
    </>
  );
}

/** One of the post's files; the first one is the usual. */
function FileIndexControl({ control, media, value: given, of, set }: ControlProps<Special>) {
  const said = useSaid(of);
  const index = typeof given === 'number' ? given : 0;
  const places = Math.max(media.length, index + 1);
  return (
    <Select
      label={control.label}
      help={said.help()}
      choices={Array.from({ length: places }, (_, place) => ({
        id: String(place),
        name: place === 0 ? words.options.fileUsual : words.options.file(place + 1),
        note: media[place]?.fileName,
      }))}
      value={String(index)}
      onChange={(key) => set(key === '0' ? undefined : Number(key))}
      {...said.field}
    />
  );
}
