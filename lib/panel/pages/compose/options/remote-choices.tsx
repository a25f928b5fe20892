import type { listBoardsOperation, listSectionsOperation } from '../../../../accounts/boards/operations.ts';
import type { listPlaylistsOperation, readCreatorInfoOperation } from '../../../../accounts/operations.ts';
import {
  descriptionCharacters,
  linkCharacters,
  titleCharacters,
} from '../../../../platforms/pinterest/limits.ts';
import { useGet } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/checkbox.tsx';
import { ComboBox } from '../../../components/combo-box.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Muted } from '../../../components/layout.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { Select } from '../../../components/select.tsx';
import { TextField } from '../../../components/text-field.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import { Said, useSaid } from '../fields.tsx';
import type { ControlProps, OptionFieldsProps, Special } from './control.ts';
import classes from './options.module.css';

const texts = words.options.tiktok;

/** What TikTok wants to be asked before each post. It allows few questions, so each visit asks once. */
const useCreatorInfo = (accountId: string) =>
  useGet<typeof readCreatorInfoOperation>(
    '/v1/accounts/{id}/creator-info',
    { path: { id: accountId } },
    { refetchEveryMs: false },
  );

/** Whose account it is, and what TikTok says about the post, as TikTok requires of every composer. */
export function TiktokNote({ accountId, media, options }: OptionFieldsProps) {
  const { data, error } = useCreatorInfo(accountId);
  const { nickname, maxVideoSeconds } = data?.creatorInfo ?? {};
  const longest = Math.ceil(Math.max(0, ...media.map(({ durationMs = 0 }) => durationMs)) / 1_000);
  const isTooLong = typeof maxVideoSeconds === 'number' && longest > maxVideoSeconds;
  return (
    <>
      {nickname && <Muted>{texts.postsAs(nickname)}</Muted>}
      {error && !data && (
        <ErrorNotice error={error} title={texts.creatorUnknown}>
          <p>{error.message}</p>
        </ErrorNotice>
      )}
      {isTooLong && <Notice tone="bad">{texts.tooLong(longest, maxVideoSeconds)}</Notice>}
      {options['draft'] !== true && <Muted>{texts.agreement(options['brandContentToggle'] === true)}</Muted>}
    </>
  );
}

/** Only the levels that TikTok offers the account; none is chosen beforehand, as TikTok requires. */
export function PrivacyLevelControl({
  accountId,
  name,
  control,
  options,
  keyOf,
  onChange,
}: ControlProps<Special>) {
  const said = useSaid(keyOf(name));
  const { data } = useCreatorInfo(accountId);
  const given = typeof options[name] === 'string' ? options[name] : undefined;
  const offered = data?.creatorInfo.privacyLevels ?? Object.keys(texts.privacyLevel.levels);
  const isBranded = options['brandContentToggle'] === true;
  const levels = [...offered, ...(given !== undefined && !offered.includes(given) ? [given] : [])];
  return (
    <Select
      label={control.label}
      placeholder={texts.privacyLevel.placeholder}
      help={
        <>
          {isBranded && texts.privacyLevel.brandedNotPrivate}
          {said.notes}
        </>
      }
      choices={levels.map((id) => ({ id, name: texts.privacyLevel.levels[id] ?? id }))}
      disabledKeys={isBranded ? ['SELF_ONLY'] : []}
      value={given ?? null}
      onChange={(key) => onChange(name, key ?? undefined)}
      validationBehavior="aria"
      validate={said.validate}
    />
  );
}

const turnedOffBy = {
  disableComment: 'commentDisabled',
  disableDuet: 'duetDisabled',
  disableStitch: 'stitchDisabled',
} as const;

/** Something that people may do with the post. It is off unless it is ticked, as TikTok requires, and stays so if the account wants it. */
export function InteractionControl({
  accountId,
  name,
  control,
  options,
  keyOf,
  onChange,
}: ControlProps<Special>) {
  const { data } = useCreatorInfo(accountId);
  const isOff =
    Object.hasOwn(turnedOffBy, name) &&
    data?.creatorInfo[turnedOffBy[name as keyof typeof turnedOffBy]] === true;
  const isAllowed = options[name] === false;
  return (
    <>
      <Checkbox
        isSelected={isAllowed}
        isDisabled={isOff && !isAllowed}
        onChange={(isSelected) => onChange(name, isSelected ? false : undefined)}
        note={isOff ? texts.turnedOff : control.help}
      >
        {control.label}
      </Checkbox>
      <Said of={keyOf(name)} />
    </>
  );
}

/** Nothing is chosen beforehand: the law wants a person's answer. */
export function MadeForKidsControl({ name, control, options, keyOf, onChange }: ControlProps<Special>) {
  const said = useSaid(keyOf(name));
  const given = options[name];
  const { no, yes } = words.options.youtube.madeForKids;
  return (
    <RadioGroup
      label={control.label}
      help={
        <>
          {control.help}
          {said.notes}
        </>
      }
      value={typeof given === 'boolean' ? String(given) : null}
      onChange={(value) => onChange(name, value === 'true')}
      validationBehavior="aria"
      validate={said.validate}
    >
      <Radio value="false">{no}</Radio>
      <Radio value="true">{yes}</Radio>
    </RadioGroup>
  );
}

const none1 = 'none';

/** The channel's playlists, as YouTube has them now. */
export function PlaylistControl({
  accountId,
  name,
  control,
  options,
  keyOf,
  onChange,
}: ControlProps<Special>) {
  const said = useSaid(keyOf(name));
  const { data, error, isPending } = useGet<typeof listPlaylistsOperation>(
    '/v1/accounts/{id}/playlists',
    { path: { id: accountId } },
    { refetchEveryMs: false },
  );
  const given = typeof options[name] === 'string' ? options[name] : undefined;
  const playlists = data?.playlists ?? [];
  const isUnlisted = given !== undefined && !playlists.some(({ id }) => id === given);
  return (
    <>
      <Select
        label={control.label}
        help={
          <>
            {isPending ? words.options.playlists.loading : control.help}
            {said.notes}
          </>
        }
        choices={[
          { id: none1, name: words.options.youtube.playlistId.none },
          ...playlists.map(({ id, title }) => ({ id, name: title })),
          ...(isUnlisted ? [{ id: given, name: words.options.playlists.unlisted(given) }] : []),
        ]}
        value={given ?? none1}
        onChange={(key) => onChange(name, key === none1 ? undefined : key)}
        validationBehavior="aria"
        validate={said.validate}
      />
      {error && !data && <ErrorNotice error={error} />}
    </>
  );
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The account's boards, as Pinterest has them now. With many, a person types a part of the name. */
export function BoardControl({ accountId, name, control, options, keyOf, onChange }: ControlProps<Special>) {
  const said = useSaid(keyOf(name));
  const { data, error, isPending, isFetching, refetch } = useGet<typeof listBoardsOperation>(
    '/v1/accounts/{id}/boards',
    { path: { id: accountId } },
    { refetchEveryMs: false },
  );
  const given = textOf(options[name]);
  const boards = data?.boards ?? [];
  const isUnlisted = given !== undefined && !boards.some(({ id }) => id === given);
  const choices = [
    ...boards.map((board) => ({ id: board.id, name: board.name })),
    ...(isUnlisted ? [{ id: given, name: words.options.boards.unlisted(given) }] : []),
  ];
  return (
    <>
      <ComboBox
        // Its text follows the name of the choice, which is only known once the boards are read.
        key={isPending ? 'pending' : 'ready'}
        label={control.label}
        help={
          <>
            {isPending && words.options.boards.loading}
            {data && boards.length === 0 && words.options.pinterest.boardId.none}
            {said.notes}
          </>
        }
        choices={choices}
        value={given ?? null}
        onChange={(key) => {
          onChange(name, key === null ? undefined : String(key));
          onChange('boardSectionId', undefined);
        }}
        isRequired
        isDisabled={isPending}
        validationBehavior="aria"
        validate={said.validate}
      />
      {error && !data && (
        <ErrorNotice error={error}>
          <p>{error.message}</p>
          <Button size="small" icon="refresh" isPending={isFetching} onPress={() => void refetch()}>
            {words.options.boards.again}
          </Button>
        </ErrorNotice>
      )}
    </>
  );
}

const none = 'none';

/** The sections of the chosen board. Without any, there is nothing to choose. */
export function BoardSectionControl({
  accountId,
  name,
  control,
  options,
  keyOf,
  onChange,
}: ControlProps<Special>) {
  const said = useSaid(keyOf(name));
  const boardId = textOf(options['boardId']);
  const { data } = useGet<typeof listSectionsOperation>(
    '/v1/accounts/{id}/boards/{boardId}/sections',
    { path: { id: accountId, boardId: boardId ?? '' } },
    { refetchEveryMs: false, isEnabled: boardId !== undefined },
  );
  const given = textOf(options[name]);
  const sections = data?.sections ?? [];
  if (given === undefined && (boardId === undefined || sections.length === 0)) return null;
  const isUnlisted = given !== undefined && !sections.some(({ id }) => id === given);
  return (
    <Select
      label={control.label}
      help={said.notes}
      choices={[
        { id: none, name: words.options.pinterest.boardSectionId.none },
        ...sections.map((section) => ({ id: section.id, name: section.name })),
        ...(isUnlisted ? [{ id: given, name: given }] : []),
      ]}
      value={given ?? none}
      onChange={(key) => onChange(name, key === none ? undefined : key)}
      validationBehavior="aria"
      validate={said.validate}
    />
  );
}

type Texts = Readonly<Record<string, string | undefined>>;
const fields = [
  ['title', titleCharacters],
  ['description', descriptionCharacters],
  ['link', linkCharacters],
] as const;

/** Title, description and link of each image of a carousel. */
export function CarouselTextsControl({
  name,
  control,
  media,
  options,
  keyOf,
  onChange,
}: ControlProps<Special>) {
  const given = Array.isArray(options[name]) ? (options[name] as readonly Texts[]) : [];
  const places = Math.max(media.length, given.length);
  const change = (place: number, field: string, text: string) => {
    const next = Array.from({ length: places }, (_, each) => {
      const { [field]: _before, ...others } = given[each] ?? {};
      return each !== place ? (given[each] ?? {}) : text === '' ? others : { ...given[each], [field]: text };
    });
    const last = next.findLastIndex((each) => Object.keys(each).length > 0);
    onChange(name, last < 0 ? undefined : next.slice(0, last + 1));
  };
  const texts = words.options.pinterest.carouselItems;
  return (
    <fieldset className={classes.rows}>
      <legend className={textClasses.label}>{control.label}</legend>
      {Array.from({ length: places }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the texts belong to the place
        <fieldset key={place} className={classes.row3}>
          <legend className={textClasses.minor}>{texts.image(place + 1)}</legend>
          {fields.map(([field, most]) => (
            <TextField
              key={field}
              label={texts[field]}
              value={given[place]?.[field] ?? ''}
              onChange={(text) => change(place, field, text)}
              maxLength={most}
              autoComplete="off"
              {...(field === 'link' && { type: 'url' })}
            />
          ))}
        </fieldset>
      ))}
      <Said of={keyOf(name)} />
    </fieldset>
  );
}
