import { ClickChart } from '../../clicks/click-chart.tsx';
import { clicksPerDay, dayInUtc, totalOf } from '../../clicks/days.ts';
import { LinkAddress } from '../../clicks/link-address.tsx';
import { Link } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { addDays } from '../../time.ts';
import { locale, words } from '../../words/words.ts';
import classes from './detail.module.css';
import type { AutomationDetail } from './funnel.ts';

const texts = words.automationsPage.detail.clicks;
const numbers = new Intl.NumberFormat(locale);
const shownDays = 30;

type LinkRow = AutomationDetail['links'][number] & { latest: number };

const columns: readonly Column<LinkRow>[] = [
  {
    id: 'link',
    title: texts.columns.link,
    isRowHeader: true,
    cell: (link) => <LinkAddress {...link} />,
  },
  {
    id: 'latest',
    title: texts.columns.days,
    width: '7rem',
    isEnd: true,
    cell: ({ latest }) => numbers.format(latest),
  },
  {
    id: 'clicks',
    title: texts.columns.clicks,
    width: '6rem',
    isEnd: true,
    cell: ({ clicks }) => numbers.format(clicks),
  },
];

/** Clicks on the automation's links in the last days, and each link. */
export function ClicksSection({ automation: { id, links } }: { automation: AutomationDetail }) {
  const today = dayInUtc(Date.now());
  const from = addDays(today, 1 - shownDays);
  const days = clicksPerDay(links, from, today);
  const rows = links.map((link) => ({ ...link, latest: totalOf(clicksPerDay([link], from, today)) }));
  return (
    <Section
      title={texts.title}
      isCard
      actions={
        links.length > 0 && (
          <Link to="/links" search={{ automation: id }}>
            {texts.all}
          </Link>
        )
      }
    >
      {links.length === 0 ? (
        <p className={classes.minor}>{texts.none}</p>
      ) : (
        <>
          <ClickChart days={days} />
          <p className={classes.minor}>{words.clicks.chart.utc}</p>
          <Table
            label={texts.linksLabel}
            columns={columns}
            rows={rows}
            idOf={({ address }) => address}
            isFaded={({ isSent }) => !isSent}
          />
        </>
      )}
    </Section>
  );
}
