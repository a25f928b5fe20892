import type { listLinksOperation } from '../../../automations/operations.ts';
import { isNotFound } from '../../api/api-error.ts';
import { usePages } from '../../api/hooks.ts';
import { useReadOn } from '../../api/use-read-on.ts';
import { ClickChart } from '../../clicks/click-chart.tsx';
import { clicksPerDay, dayInUtc } from '../../clicks/days.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useFilters } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { LinkFilters } from './filters.tsx';
import { LinkTable } from './link-table.tsx';
import classes from './links.module.css';
import { type Range, rangeOf } from './range.ts';

/** The most that the service answers. */
const perPage = '50';
const mostPages = 20;
const texts = words.linksPage.list;

/** The tracked links with their clicks in a period. */
export function LinksPage() {
  const { name } = useWorkspace();
  const filters = useFilters(['last', 'from', 'to', 'automation']);
  const range = rangeOf(filters.values, dayInUtc(Date.now()));
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
  const pages = usePages<typeof listLinksOperation>('/v1/links', {
    query: { from, to, limit: perPage, ...(automationId !== '' && { automationId }) },
  });
  const isReading = useReadOn(pages, mostPages);
  const links = pages.data?.pages.flatMap((page) => page.links) ?? [];
  const days = clicksPerDay(links, from, to);
  if (pages.isError && isNotFound(pages.error)) return <Gone onAll={onAll} />;
  if (!pages.data)
    return pages.error ? (
      <ErrorState error={pages.error} onRetry={() => void pages.refetch()} isRetrying={pages.isFetching} />
    ) : (
      <div className={classes.waiting}>
        <Skeleton kind="card" rows={1} />
        <Skeleton rows={4} />
      </div>
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
        <p className={classes.note}>{words.clicks.chart.utc}</p>
      </div>
      <Section title={texts.title}>
        <LinkTable links={links} isOfOne={automationId !== ''} />
        {!isReading && <LoadMore pages={pages} />}
        <p role="status" className={classes.note}>
          {isReading
            ? texts.reading(links.length)
            : pages.hasNextPage
              ? texts.partial(links.length)
              : texts.shown(links.length)}
        </p>
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
