import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { dayIn, endOfDayMs, isTimezone, storedTimezone } from '../../../lib/kernel/time-zone.ts';

describe('a local day', () => {
  it.each([
    ['in winter', 'America/Los_Angeles', '2026-11-20T20:00:00Z', '2026-11-20', '2026-11-21T08:00:00Z'],
    ['in summer', 'America/Los_Angeles', '2026-07-01T06:59:59.5Z', '2026-06-30', '2026-07-01T07:00:00Z'],
    [
      'at its first instant',
      'America/Los_Angeles',
      '2026-11-21T08:00:00Z',
      '2026-11-21',
      '2026-11-22T08:00:00Z',
    ],
    ['of 23 hours', 'America/Los_Angeles', '2027-03-14T09:00:00Z', '2027-03-14', '2027-03-15T07:00:00Z'],
    ['of 25 hours', 'America/Los_Angeles', '2026-11-01T07:30:00Z', '2026-11-01', '2026-11-02T08:00:00Z'],
    ['in UTC', 'UTC', '2026-11-20T23:59:59.999Z', '2026-11-20', '2026-11-21T00:00:00Z'],
    [
      'before one without a midnight',
      'Asia/Beirut',
      '2026-03-28T12:00:00Z',
      '2026-03-28',
      '2026-03-28T22:00:00Z',
    ],
  ])('%s ends when the next one begins', (_which, zone, instant, day, end) => {
    expect(dayIn(zone, Date.parse(instant))).toBe(day);
    expect(endOfDayMs(zone, Date.parse(instant))).toBe(Date.parse(end));
  });

  it('ends at the first instant with another date, in every time zone', () => {
    const zones = fc.constantFrom(
      'UTC',
      'America/Los_Angeles',
      'Asia/Beirut',
      'America/Havana',
      'Asia/Kathmandu',
    );
    const instants = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2030, 0) });
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const end = endOfDayMs(zone, instant);
        expect(end).toBeGreaterThan(instant);
        expect(dayIn(zone, end - 1)).toBe(dayIn(zone, instant));
        expect(dayIn(zone, end)).not.toBe(dayIn(zone, instant));
      }),
    );
  });
});

/** The links of IANA's time zones, from its file `backward` of 2026, which `Intl` accepts although it does not list them. */
const links = `
  Africa/Asmara Africa/Timbuktu America/Argentina/Buenos_Aires America/Argentina/Catamarca
  America/Argentina/ComodRivadavia America/Argentina/Cordoba America/Argentina/Jujuy
  America/Argentina/Mendoza America/Atikokan America/Atka America/Ensenada America/Fort_Wayne
  America/Indiana/Indianapolis America/Kentucky/Louisville America/Knox_IN America/Montreal America/Nipigon
  America/Nuuk America/Pangnirtung America/Porto_Acre America/Rainy_River America/Rosario
  America/Santa_Isabel America/Shiprock America/Thunder_Bay America/Virgin America/Yellowknife
  Antarctica/South_Pole Asia/Ashkhabad Asia/Choibalsan Asia/Chongqing Asia/Chungking Asia/Dacca Asia/Harbin
  Asia/Ho_Chi_Minh Asia/Istanbul Asia/Kashgar Asia/Kathmandu Asia/Kolkata Asia/Macao Asia/Tel_Aviv
  Asia/Thimbu Asia/Ujung_Pandang Asia/Ulan_Bator Asia/Yangon Atlantic/Faroe Atlantic/Jan_Mayen
  Australia/ACT Australia/Canberra Australia/Currie Australia/LHI Australia/NSW Australia/North
  Australia/Queensland Australia/South Australia/Tasmania Australia/Victoria Australia/West
  Australia/Yancowinna Brazil/Acre Brazil/DeNoronha Brazil/East Brazil/West CET CST6CDT Canada/Atlantic
  Canada/Central Canada/Eastern Canada/Mountain Canada/Newfoundland Canada/Pacific Canada/Saskatchewan
  Canada/Yukon Chile/Continental Chile/EasterIsland Cuba EET EST EST5EDT Egypt Eire Etc/GMT Etc/GMT+0
  Etc/GMT+1 Etc/GMT+10 Etc/GMT+11 Etc/GMT+12 Etc/GMT+2 Etc/GMT+3 Etc/GMT+4 Etc/GMT+5 Etc/GMT+6 Etc/GMT+7
  Etc/GMT+8 Etc/GMT+9 Etc/GMT-0 Etc/GMT-1 Etc/GMT-10 Etc/GMT-11 Etc/GMT-12 Etc/GMT-13 Etc/GMT-14 Etc/GMT-2
  Etc/GMT-3 Etc/GMT-4 Etc/GMT-5 Etc/GMT-6 Etc/GMT-7 Etc/GMT-8 Etc/GMT-9 Etc/GMT0 Etc/Greenwich Etc/UCT
  Etc/UTC Etc/Universal Etc/Zulu Europe/Belfast Europe/Kyiv Europe/Nicosia Europe/Tiraspol Europe/Uzhgorod
  Europe/Zaporozhye GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica
  Japan Kwajalein Libya MET MST MST7MDT Mexico/BajaNorte Mexico/BajaSur Mexico/General NZ NZ-CHAT Navajo
  PRC PST8PDT Pacific/Chuuk Pacific/Johnston Pacific/Kanton Pacific/Pohnpei Pacific/Samoa Pacific/Yap
  Poland Portugal ROC ROK Singapore Turkey UCT US/Alaska US/Aleutian US/Arizona US/Central US/East-Indiana
  US/Eastern US/Hawaii US/Indiana-Starke US/Michigan US/Mountain US/Pacific US/Samoa UTC Universal W-SU WET
  Zulu
`
  .trim()
  .split(/\s+/);

/** All names of three letters: ICU has more of them than IANA. */
function* threeLetters(): Generator<string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const a of letters) for (const b of letters) for (const c of letters) yield a + b + c;
}

const offsets = [
  '+02:00',
  '-03',
  '+0530',
  '+14:00',
  '+24:00',
  '+02:00:30',
  'UTC+2',
  'GMT+2',
  'Z',
  'Etc/Unknown',
];
const spellings = (names: readonly string[]) => names.flatMap((name) => [name, name.toLowerCase()]);

const takenBy = (take: () => unknown): boolean => {
  try {
    take();
    return true;
  } catch {
    return false;
  }
};
const byIntl = (timeZone: string) => takenBy(() => new Intl.DateTimeFormat('en', { timeZone }));
const byTemporal = (timeZone: string) =>
  takenBy(() => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone.toUpperCase())) &&
  takenBy(() => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone));

describe('the name of a time zone', () => {
  const names = [
    ...spellings([...Intl.supportedValuesOf('timeZone'), ...links, ...offsets]),
    ...[...threeLetters()].filter(byIntl).flatMap((name) => [name, name.toLowerCase()]),
  ];

  it('is accepted if Intl and Temporal take it, for every name that Intl takes', () => {
    const taken = names.filter(byIntl);
    expect(taken.length).toBeGreaterThan(1_000);
    expect(taken.filter((name) => isTimezone(name) !== byTemporal(name))).toEqual([]);
    expect(names.filter((name) => isTimezone(name) && !byIntl(name))).toEqual([]);
  });

  it('is refused if only ICU has it, although the polyfill of Temporal takes it: browsers refuse it', () => {
    const systemV = [
      'AST4',
      'AST4ADT',
      'CST6',
      'CST6CDT',
      'EST5',
      'EST5EDT',
      'HST10',
      'MST7',
      'MST7MDT',
      'PST8',
    ]
      .concat('PST8PDT', 'YST9', 'YST9YDT')
      .map((name) => `SystemV/${name}`);
    expect([...systemV, 'US/Pacific-New', 'us/pacific-new'].filter(isTimezone)).toEqual([]);
  });

  it('that was stored is read as what Intl means by it, in a name that is accepted', () => {
    const icu = names.filter((name) => byIntl(name) && !isTimezone(name));
    expect(icu.length).toBeGreaterThan(40);
    const offsetAt = (timeZone: string, at: number) =>
      new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset', year: 'numeric' }).format(at);
    for (const name of [...icu, 'SystemV/PST8PDT', 'SystemV/PST8', 'US/Pacific-New']) {
      const read = storedTimezone(name);
      expect(isTimezone(read), name).toBe(true);
      for (const at of [Date.UTC(2026, 0), Date.UTC(2026, 6)])
        expect(offsetAt(read, at)).toBe(offsetAt(name, at));
    }
    for (const name of names.filter(isTimezone)) expect(storedTimezone(name)).toBe(name);
  });
});
