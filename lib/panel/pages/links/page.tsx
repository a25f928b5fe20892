import type { listLinksOperation } from '../../../automations/operations.ts';
import { nameOf } from '../../accounts/account.ts';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { isNotFound } from '../../api/api-error.ts';
import { usePages } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { useReadOn } from '../../api/use-read-on.ts';
import { ClickChart } from '../../clicks/click-chart.tsx';
import { clicksPerDay } from '../../clicks/days.ts';
import { LinkAddress } from '../../clicks/link-address.tsx';
import { Button } from '../../components/button.tsx';
import { ComboBox } from '../../components/combo-box.tsx';
import { DayField } from '../../components/day-field.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Muted } from '../../components/layout.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { Reading } from '../../components/reading.tsx';
import { Section } from '../../components/section.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dayIn } from '../../time.ts';
import { type Filters, useFilters } from '../../use-filters.ts';
import { locale, words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { titleOf } from '../automations/automation.ts';
import { useAutomations } from '../automations/use-automations.ts';
import classes from './links.module.css';
import { keyOf, mostDays, presets, type Range, rangeOf } from './range.ts';

const texts = words.linksPage.list;

/** The most that the service answers. */
const perPage = '50';
const mostPages = 20;
/** The tracked links with their clicks in a period. */
export function LinksPage() {
  const { name, timezone } = useWorkspace();
  const filters = useFilters(['last', 'from', 'to', 'automation']);
  const range = rangeOf(filters.values, dayIn(new Date(), timezone));
  const { automation } = filters.values;
  return (
    <Page title={words.linksPage.title} of={name} lead={words.linksPage.lead}>
      <LinkFilters range={range} automationId={automation} set={filters.set} />
      {range.problem === undefined && (
        <Clicks range={range} automationId={automation} onAll={() => filters.set({ automation: '' })} />
      )}
    </Page>
  );
}

interface ClicksProps {
  range: Range;
  automationId: string;
  onAll: () => void;
}

function Clicks({ range: { from, to }, automationId, onAll }: ClicksProps) {
  const { timezone } = useWorkspace();
  const pages = usePages<typeof listLinksOperation>('/v1/links', {
    query: { from, to, timezone, limit: perPage, ...(automationId !== '' && { automationId }) },
  });
  const isReading = useReadOn(pages, mostPages);
  const links = pages.data?.pages.flatMap((page) => page.links) ?? [];
  const days = clicksPerDay(links, from, to);
  if (pages.isError && isNotFound(pages.error)) return <Gone onAll={onAll} />;
  if (!pages.data)
    return (
      <Reading
        of={pages}
        waiting={
          <div className={classes.waiting}>
            <Skeleton kind="card" rows={1} />
            <Skeleton rows={4} />
          </div>
        }
      />
    );
  if (links.length === 0 && !pages.hasNextPage)
    return automationId === '' ? <NoLinks /> : <NoLinksOf automationId={automationId} onAll={onAll} />;
  return (
    <>
      {pages.isError && !pages.isFetchNextPageError && (
        <ErrorNotice error={pages.error} title={texts.stale} />
      )}
      <div className={classes.chart}>
        <ClickChart days={days} />
        <Muted>{words.clicks.chart.zone(timezone)}</Muted>
      </div>
      <Section title={texts.title}>
        <LinkTable links={links} isOfOne={automationId !== ''} />
        {!isReading && <LoadMore pages={pages} />}
        <Muted role="status">
          {isReading
            ? texts.reading(links.length)
            : pages.hasNextPage
              ? texts.partial(links.length)
              : texts.shown(links.length)}
        </Muted>
      </Section>
    </>
  );
}

const NoLinks = () => (
  <EmptyState
    icon="links"
    title={words.linksPage.none.title}
    action={
      <ButtonLink to="/automations/new" variant="primary" icon="plus">
        {words.linksPage.none.action}
      </ButtonLink>
    }
  >
    <p>{words.linksPage.none.text}</p>
  </EmptyState>
);

function NoLinksOf({ automationId, onAll }: Pick<ClicksProps, 'automationId' | 'onAll'>) {
  return (
    <EmptyState
      icon="links"
      title={words.linksPage.none.filteredTitle}
      action={
        <>
          <ButtonLink to="/automations/$id" params={{ id: automationId }}>
            {words.linksPage.none.open}
          </ButtonLink>
          <Button onPress={onAll}>{words.linksPage.none.clear}</Button>
        </>
      }
    >
      <p>{words.linksPage.none.filteredText}</p>
    </EmptyState>
  );
}

const Gone = ({ onAll }: Pick<ClicksProps, 'onAll'>) => (
  <EmptyState
    icon="links"
    title={words.linksPage.none.goneTitle}
    action={<Button onPress={onAll}>{words.linksPage.none.clear}</Button>}
  >
    <p>{words.linksPage.none.goneText}</p>
  </EmptyState>
);

const rangeTexts = words.linksPage.range;
/** No id of an automation. */
const all = 'all';
const custom = 'custom';

interface LinkFiltersProps {
  range: Range;
  automationId: string;
  set: Filters<'last' | 'from' | 'to' | 'automation'>['set'];
}

/** The period, and of which automation. The URL keeps both. */
function LinkFilters({ range, automationId, set }: LinkFiltersProps) {
  const { from, to, preset, problem } = range;
  const isCustom = preset === undefined;
  const choose = (key: string) => {
    if (key === custom) set({ last: '', from, to });
    else set({ last: key, from: '', to: '' });
  };
  return (
    <search className={classes.filters} aria-label={rangeTexts.label}>
      <Segmented
        label={rangeTexts.label}
        choices={[
          ...presets.map((days) => ({ id: keyOf(days), name: rangeTexts.preset(days) })),
          { id: custom, name: rangeTexts.custom },
        ]}
        value={isCustom ? custom : keyOf(preset)}
        onChange={choose}
      />
      <div className={classes.automation}>
        <AutomationChoice automationId={automationId} onChange={(automation) => set({ automation })} />
      </div>
      {isCustom && (
        <div className={classes.days}>
          <DayField
            label={rangeTexts.from}
            value={from}
            onChange={(day) => set({ last: '', from: day, to })}
          />
          <DayField
            label={rangeTexts.to}
            value={to}
            problem={
              problem === 'backwards'
                ? rangeTexts.backwards
                : problem === 'too-long'
                  ? rangeTexts.tooLong(mostDays)
                  : undefined
            }
            onChange={(day) => set({ last: '', from, to: day })}
          />
        </div>
      )}
    </search>
  );
}

interface AutomationChoiceProps {
  automationId: string;
  onChange: (automationId: string) => void;
}

function AutomationChoice({ automationId, onChange }: AutomationChoiceProps) {
  const { automations, isReading } = useAutomations();
  const accounts = useAccountsById();
  const listed = (automations ?? []).map((each) => {
    const account = accounts?.get(each.accountId);
    return {
      id: each.id,
      name: titleOf(each),
      note: account ? nameOf(account) : accounts && words.account.disconnected,
    };
  });
  const isKnown = automationId === '' || automations?.some(({ id }) => id === automationId);
  const isRead = automations !== undefined && !isReading;
  const choices = [
    { id: all, name: words.linksPage.allAutomations },
    ...listed,
    ...(isKnown ? [] : [{ id: automationId, name: isRead ? words.linksPage.unknownAutomation : '…' }]),
  ];
  return (
    <ComboBox
      label={words.linksPage.automation}
      choices={choices}
      value={automationId || all}
      onChange={(key) => onChange(key === null || key === all ? '' : String(key))}
    />
  );
}

type TrackedLink = ReplyOf<typeof listLinksOperation>['links'][number];

const numbers = new Intl.NumberFormat(locale);

interface LinkTableProps {
  links: readonly TrackedLink[];
  isOfOne: boolean;
}

/** The links, the most clicked first. */
function LinkTable({ links, isOfOne }: LinkTableProps) {
  const accounts = useAccountsById();
  const rows = links.toSorted((one, other) => other.clicks - one.clicks);
  const most = Math.max(1, rows[0]?.clicks ?? 0);
  const automation: Column<TrackedLink> = {
    id: 'automation',
    title: texts.columns.automation,
    cell: ({ automation: of }) => {
      const account = accounts?.get(of.accountId);
      return (
        <div className={classes.of}>
          <Link to="/automations/$id" params={{ id: of.id }}>
            <bdi>{titleOf(of)}</bdi>
          </Link>
          <Muted as="span">
            <bdi>{account ? nameOf(account) : accounts ? words.account.disconnected : '…'}</bdi>
          </Muted>
        </div>
      );
    },
  };
  const columns: readonly Column<TrackedLink>[] = [
    {
      id: 'link',
      title: texts.columns.link,
      width: 'minmax(0, 2fr)',
      isRowHeader: true,
      cell: (link) => <LinkAddress {...link} />,
    },
    ...(isOfOne ? [] : [automation]),
    {
      id: 'clicks',
      title: texts.columns.clicks,
      width: '8rem',
      isEnd: true,
      cell: ({ clicks }) => (
        <div className={classes.clicks}>
          <span>{numbers.format(clicks)}</span>
          <span className={classes.share} aria-hidden="true">
            <span style={{ inlineSize: `${(clicks / most) * 100}%` }} />
          </span>
        </div>
      ),
    },
  ];
  return <Table label={texts.label} columns={columns} rows={rows} idOf={({ address }) => address} />;
}
