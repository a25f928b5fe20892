import { useState } from 'react';
import type { listMetricsOperation } from '../../../insights/operations.ts';
import { nameOf } from '../../accounts/account.ts';
import { platforms, platformTitles } from '../../accounts/platforms.ts';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { usePages } from '../../api/hooks.ts';
import { useReadOn } from '../../api/use-read-on.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { Button } from '../../components/button.tsx';
import { ComboBox } from '../../components/combo-box.tsx';
import { DayField } from '../../components/day-field.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Muted } from '../../components/layout.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Reading } from '../../components/reading.tsx';
import { Section } from '../../components/section.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Select } from '../../components/select.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { lookOf } from '../../posts/state.ts';
import { TagFilter } from '../../posts/tag-filter.tsx';
import { addDays, dayIn, formatDay, formatShortDay, startOfDay } from '../../time.ts';
import { type Filters, useFilters } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { keyOf, presets, type Range, rangeOf } from '../links/range.ts';
import { readCsv, saveFile } from './csv.ts';
import { Metric } from './metric.tsx';
import {
  bestFirst,
  formatNumber,
  type NumberName,
  numberIn,
  numberNames,
  type Result,
  resultsPerDay,
} from './numbers.ts';
import classes from './results.module.css';

const texts = words.resultsPage;

/** A day less than the service answers: in autumn, a day of the zone has an hour more. */
const mostDays = 91;
const perPage = '100';
const mostPages = 20;
/** Platforms count late, and the service reads few of their numbers at a time. */
const refetchEveryMs = 5 * 60_000;

/** A link may have anything in place of an account's id. */
const idForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

type Name = 'last' | 'from' | 'to' | 'account' | 'platform' | 'tag' | 'number';
const names: readonly Name[] = ['last', 'from', 'to', 'account', 'platform', 'tag', 'number'];

/** Shows one number of the posts of a period by day, and the posts with the most of it. */
export function ResultsPage() {
  const { name, timezone } = useWorkspace();
  const filters = useFilters(names);
  const range = rangeOf(filters.values, dayIn(new Date(), timezone), mostDays);
  return (
    <Page title={texts.title} of={name} lead={texts.lead}>
      <ResultFilters range={range} filters={filters} />
      {range.problem === undefined && <Results range={range} filters={filters} />}
    </Page>
  );
}

interface FilteredProps {
  range: Range;
  filters: Filters<Name>;
}

function Results({ range: { from, to }, filters }: FilteredProps) {
  const { timezone } = useWorkspace();
  const { platform, tag, number } = filters.values;
  const account = idForm.test(filters.values.account) ? filters.values.account : '';
  const query = {
    from: startOfDay(from, timezone).toISOString(),
    // The service does not count the end.
    to: startOfDay(addDays(to, 1), timezone).toISOString(),
    ...(account !== '' && { accountId: account }),
    ...(platforms.some((each) => each === platform) && { platform: platform as Result['platform'] }),
    ...(tag !== '' && { tags: tag }),
  };
  const pages = usePages<typeof listMetricsOperation>(
    '/v1/metrics',
    { query: { ...query, limit: perPage } },
    { refetchEveryMs },
  );
  const isReading = useReadOn(pages, mostPages);
  const results = pages.data?.pages.flatMap(({ posts }) => posts) ?? [];
  const wanted = numberIn(number);
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
  if (results.length === 0 && !pages.hasNextPage)
    return <Nothing isFiltered={account !== '' || platform !== '' || tag !== ''} onAll={filters.clear} />;
  return (
    <>
      {pages.isError && !pages.isFetchNextPageError && (
        <ErrorNotice error={pages.error} title={texts.list.stale} />
      )}
      <LackingAccounts />
      <ResultChart results={results} name={wanted} from={from} to={to} />
      <Section
        title={texts.list.title}
        lead={texts.list.lead(texts.numbers[wanted])}
        actions={<CsvButton query={query} name={`results-${from}-${to}.csv`} />}
      >
        <ResultTable results={bestFirst(results, wanted)} />
        {!isReading && <LoadMore pages={pages} />}
        <Muted role="status">
          {isReading
            ? texts.list.reading(results.length)
            : pages.hasNextPage
              ? texts.list.partial(results.length)
              : texts.list.shown(results.length)}
        </Muted>
      </Section>
    </>
  );
}

/** Says why there is nothing, and what helps. */
function Nothing({ isFiltered, onAll }: { isFiltered: boolean; onAll: () => void }) {
  const accounts = useAccountsById();
  const isOff =
    accounts !== undefined &&
    ![...accounts.values()].some(({ capabilities }) => capabilities.includes('insights'));
  if (isOff)
    return (
      <EmptyState
        icon="results"
        title={texts.none.offTitle}
        action={<ButtonLink to="/accounts">{texts.none.accounts}</ButtonLink>}
      >
        <p>{texts.none.offText}</p>
      </EmptyState>
    );
  return (
    <EmptyState
      icon="results"
      title={texts.none.title}
      action={
        isFiltered ? (
          <Button onPress={onAll}>{texts.none.clear}</Button>
        ) : (
          <ButtonLink to="/compose" variant="primary" icon="plus">
            {texts.none.action}
          </ButtonLink>
        )
      }
    >
      <p>{isFiltered ? texts.none.filteredText : texts.none.text}</p>
    </EmptyState>
  );
}

function LackingAccounts() {
  const accounts = useAccountsById();
  const lacking = [...(accounts?.values() ?? [])].filter(
    ({ capabilities }) => !capabilities.includes('insights'),
  );
  if (lacking.length === 0) return null;
  return (
    <Notice
      tone="info"
      actions={
        <ButtonLink to="/accounts" size="small">
          {texts.none.accounts}
        </ButtonLink>
      }
    >
      {texts.lacking(lacking.length)}
    </Notice>
  );
}

interface ResultChartProps {
  results: readonly Result[];
  name: NumberName;
  from: string;
  to: string;
}

function ResultChart({ results, name, from, to }: ResultChartProps) {
  const { timezone } = useWorkspace();
  const { days, total, without } = resultsPerDay(results, name, { from, to, timezone });
  const title = texts.numbers[name];
  return (
    <div className={classes.chart}>
      <BarChart
        label={texts.chart.label(title)}
        bars={days.map(({ day, total: value }) => ({
          id: day,
          name: formatDay(day),
          shortName: formatShortDay(day),
          value,
        }))}
        summary={texts.chart.summary(formatNumber(total), title, results.length - without)}
        inWords={(value) => texts.chart.inWords(formatNumber(value), title)}
        columns={{ name: texts.chart.day, value: title }}
      />
      <Muted>
        {texts.chart.zone(timezone)} {without > 0 && texts.chart.without(without)}
      </Muted>
    </div>
  );
}

function CsvButton({ query, name }: { query: Parameters<typeof readCsv>[0]; name: string }) {
  const [state, setState] = useState<{ isPending: boolean; error?: Error }>({ isPending: false });
  const download = async () => {
    setState({ isPending: true });
    try {
      saveFile(name, 'text/csv', await readCsv(query));
      setState({ isPending: false });
    } catch (error) {
      setState({ isPending: false, error: error as Error });
    }
  };
  return (
    <>
      <Button isPending={state.isPending} onPress={() => void download()}>
        {texts.list.csv}
      </Button>
      {state.error && <ErrorNotice error={state.error} title={texts.list.csvFailed} />}
    </>
  );
}

/** The posts with all their numbers. */
function ResultTable({ results }: { results: readonly Result[] }) {
  const accounts = useAccountsById();
  const columns: readonly Column<Result>[] = [
    {
      id: 'post',
      title: texts.list.columns.post,
      width: 'minmax(0, 2.5fr)',
      isRowHeader: true,
      cell: ({ postId, content, accountId, platform, removedAt }) => {
        const account = accounts?.get(accountId);
        return (
          <div className={classes.of}>
            {content === null ? (
              <span>{texts.list.noPost}</span>
            ) : (
              <Link to="/posts/$id" params={{ id: postId }}>
                <bdi>{content.trim() || words.post.noText}</bdi>
              </Link>
            )}
            <Muted as="span">
              {platformTitles[platform]} · <bdi>{account ? nameOf(account) : words.account.disconnected}</bdi>
              {removedAt !== null && ` · ${lookOf('removed').word}`}
            </Muted>
          </div>
        );
      },
    },
    {
      id: 'live',
      title: texts.list.columns.live,
      width: 'minmax(0, 1fr)',
      cell: ({ publishedAt }) => <Time at={publishedAt} />,
    },
    ...numberNames.map(
      (name): Column<Result> => ({
        id: name,
        title: texts.numbers[name],
        width: 'minmax(0, 0.6fr)',
        isEnd: true,
        cell: ({ metrics }) => <Metric metric={metrics[name]} />,
      }),
    ),
  ];
  return (
    <Table
      label={texts.list.label}
      columns={columns}
      rows={results}
      idOf={({ postId, accountId }) => `${postId} ${accountId}`}
    />
  );
}

/** No id of an account, and no platform. */
const all = 'all';
const custom = 'custom';

/** The period, of whom, and which number. The URL keeps all of it. */
function ResultFilters({ range, filters: { values, set } }: FilteredProps) {
  const { from, to, preset, problem } = range;
  const accounts = useAccountsById();
  const isCustom = preset === undefined;
  const choose = (key: string) => {
    if (key === custom) set({ last: '', from, to });
    else set({ last: key, from: '', to: '' });
  };
  const chosen = (key: unknown) => (key === all || key === null ? '' : String(key));
  const accountChoices = [
    { id: all, name: texts.filters.allAccounts },
    ...[...(accounts?.values() ?? [])].map((account) => ({
      id: account.id,
      name: nameOf(account),
      note: platformTitles[account.platform],
    })),
  ];
  return (
    <search className={classes.filters} aria-label={texts.filters.label}>
      <Segmented
        label={texts.filters.label}
        choices={[
          ...presets.map((days) => ({ id: keyOf(days), name: texts.filters.preset(days) })),
          { id: custom, name: texts.filters.custom },
        ]}
        value={isCustom ? custom : keyOf(preset)}
        onChange={choose}
      />
      <div className={classes.choice}>
        <ComboBox
          // Its text follows the names once they are read.
          key={accountChoices.length}
          label={texts.filters.account}
          choices={accountChoices}
          value={values.account || all}
          onChange={(key) => set({ account: chosen(key) })}
        />
      </div>
      <div className={classes.choice}>
        <Select
          label={texts.filters.platform}
          choices={[
            { id: all, name: texts.filters.allPlatforms },
            ...platforms.map((id) => ({ id, name: platformTitles[id] })),
          ]}
          value={values.platform || all}
          onChange={(key) => set({ platform: chosen(key) })}
        />
      </div>
      <div className={classes.choice}>
        <TagFilter value={values.tag || undefined} isLabelHidden={false} onChange={(tag) => set({ tag })} />
      </div>
      <div className={classes.choice}>
        <Select
          label={texts.filters.number}
          choices={numberNames.map((id) => ({ id, name: texts.numbers[id] }))}
          value={numberIn(values.number)}
          onChange={(key) => set({ number: String(key) })}
        />
      </div>
      {isCustom && (
        <div className={classes.days}>
          <DayField
            label={texts.filters.from}
            value={from}
            onChange={(day) => set({ last: '', from: day, to })}
          />
          <DayField
            label={texts.filters.to}
            value={to}
            problem={
              problem === 'backwards'
                ? texts.filters.backwards
                : problem === 'too-long'
                  ? texts.filters.tooLong(mostDays)
                  : undefined
            }
            onChange={(day) => set({ last: '', from, to: day })}
          />
        </div>
      )}
    </search>
  );
}
