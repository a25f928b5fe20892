import type { listBoardsOperation, listSectionsOperation } from '../../../../accounts/boards/operations.ts';
import {
  aiDisclosures,
  descriptionCharacters,
  linkCharacters,
  titleCharacters,
} from '../../../../platforms/pinterest/limits.ts';
import { useGet } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { Checkbox, CheckboxGroup } from '../../../components/checkbox.tsx';
import { ComboBox } from '../../../components/combo-box.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Select } from '../../../components/select.tsx';
import { TextField } from '../../../components/text-field.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import { Said, useSaid } from '../parts/at-field.tsx';
import type { Special } from './control.ts';
import classes from './options.module.css';
import type { ControlProps } from './props.ts';

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

/** What a person says of the use of AI; nothing is sent if nothing is chosen. */
export function AiDisclosuresControl({ name, control, options, keyOf, onChange }: ControlProps<Special>) {
  const given: readonly unknown[] = Array.isArray(options[name]) ? options[name] : [];
  return (
    <>
      <CheckboxGroup
        label={control.label}
        value={given.map(String)}
        onChange={(values) => onChange(name, values.length === 0 ? undefined : values)}
      >
        {aiDisclosures.map((value) => (
          <Checkbox key={value} value={value}>
            {words.options.pinterest.aiDisclosures.choices[value]}
          </Checkbox>
        ))}
      </CheckboxGroup>
      <Said of={keyOf(name)} />
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
    <fieldset className={classes['rows']}>
      <legend className={textClasses['label']}>{control.label}</legend>
      {Array.from({ length: places }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the texts belong to the place
        <fieldset key={place} className={classes['row3']}>
          <legend className={textClasses['minor']}>{texts.image(place + 1)}</legend>
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
