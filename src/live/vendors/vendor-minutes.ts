import { MINUTE_MS } from '../../base/dates.ts';
import { isCoded } from '../../base/errors.ts';
import { type Delivery, type LiveFeed, type LiveMinute, noteHole, SKEW_MAX_MS } from '../../market/feed.ts';
import { barColumns } from '../../market/observations.ts';
import { type RefusalReason, refusalTally, refuseBar } from '../../market/refusals.ts';
import type { SocketListener, VendorBar, VendorMessage } from './vendor.ts';
import { type Followed, VendorChains } from './vendor-chains.ts';
import { refusePrint, VendorFlow, type VendorTick } from './vendor-flow.ts';
import { answered, isOfVendor, VendorAnswer } from './vendor-http.ts';

/** Vendors send a minute's bars within a second of its end; what comes later is a late row. */
const SETTLE_MS = 1_000;
/** Minutes before a hole that are asked for again: they may have changed while nobody listened. */
const OVERLAP_MS = 2 * MINUTE_MS;
/** So long after the session a hole at its end is left to the vendor's record of the day. */
const GIVE_UP_MS = 10 * MINUTE_MS;
/** In regular hours a stream of no bar for this long is looked into. */
const SILENCE_MS = 2 * MINUTE_MS;

/**
 * A running session of a vendor. A minute is yielded when it is over and known: the socket streamed all through it, or
 * its bars were asked for. While neither is so, no minute comes, and the next one covers the hole or leaves it as a gap.
 */
export const vendorSession = ({ session, ground, lagMs, ...of }: Omit<Followed, 'signal'>): LiveFeed => ({
  name: of.vendor.standing().feed,
  simulated: false,
  tradeDate: session.tradeDate,
  async *minutes(after, signal, waits = (promise) => promise) {
    const { clock } = ground;
    /** The newest minute that is over and has come. */
    const newest = (): number => {
      const behind = clock.now() - lagMs - SETTLE_MS;
      return behind - (behind % MINUTE_MS);
    };
    const untilAfter = (minute: number): Promise<void> =>
      waits(clock.until(minute + MINUTE_MS + lagMs + SETTLE_MS, ending));
    const stopped = new AbortController();
    const ending = AbortSignal.any([signal, stopped.signal]);
    const link = new Link({ ...of, session, ground, lagMs, signal: ending });
    try {
      for (let upTo = after ?? session.preOpen; upTo < session.postClose; ) {
        await untilAfter(upTo);
        if (ending.aborted) return;
        // After a late start, a hole or a slow minute one covers them all.
        const at = Math.min(session.postClose, newest());
        const minute = await link.minute(upTo, at);
        if (minute !== null) {
          yield minute;
          upTo = at;
        } else if (clock.now() > session.postClose + lagMs + GIVE_UP_MS) return;
        else await untilAfter(newest());
      }
    } finally {
      stopped.abort();
      ground.live.isConnected = null;
      ground.live.says = null;
    }
  },
});

/** The socket of a session, and what has come over it since the last minute. */
class Link {
  readonly #of: Followed;
  readonly #wanted: ReadonlySet<string>;
  readonly #restart: () => void;
  /** The connection, and since when it is up by the market's clock. */
  #up: { readonly since: number } | null = null;
  /** The connection that has streamed everything since the last hole was filled. */
  #whole: { readonly since: number } | null = null;
  /** When a bar came last, by the market's clock. */
  #heardAt = Number.NEGATIVE_INFINITY;
  #newsAfter: number;
  #bars: VendorBar[] = [];
  #days = new Map<string, VendorBar>();
  #corrected = new Set<string>();
  #deliveries: Delivery[] = [];
  #refused = refusalTally();
  readonly #chains: VendorChains;
  readonly #flow: VendorFlow;

  constructor(of: Followed) {
    const { vendor, symbols, session, ground, signal } = of;
    this.#of = of;
    this.#wanted = new Set(symbols);
    this.#newsAfter = ground.clock.now() - SILENCE_MS;
    this.#chains = new VendorChains(of);
    this.#flow = new VendorFlow(vendor.traded(symbols), session);
    const listener: SocketListener = {
      onMessage: (message) => this.#onMessage(message),
      onState: (isUp, says) => this.#onState(isUp, says),
    };
    this.#restart = vendor.stream(symbols, listener, signal);
  }

  /** What became known between two instants; null where the time between them is not known yet. */
  async minute(upTo: number, at: number): Promise<LiveMinute | null> {
    const { session, ground } = this.#of;
    const isMute = this.#isMute(at);
    // Bars come at the end of their minute, prints all through it.
    const whole = isMute ? null : this.#whole;
    const hasTicks = whole !== null && whole.since <= upTo;
    const filled = whole !== null ? [] : await this.#fill(upTo, at);
    if (filled === 'unknown') return null;
    // A gap is not covered: the session counts its minutes as skipped.
    const since = filled === 'refused' ? at - MINUTE_MS : upTo;
    const asked = filled === 'refused' ? [] : filled;
    if (isMute && asked.some(({ time }) => time + MINUTE_MS > this.#heardAt)) {
      ground.note('the stream was silent while others traded; it connects again', { at: instant(at) });
      this.#restart();
    }
    // A cut, and silence, were there before they were noticed.
    const from = hasTicks ? upTo : Math.max(session.preOpen, upTo - OVERLAP_MS);
    const ticks = hasTicks ? null : filled === 'refused' ? 'unknown' : await this.#ticks(from, at);
    const flow = await this.#flow.take({ from, upTo, at }, ticks);
    const corrected = await this.#correctedBars(at);
    const news = await this.#news();
    // What was asked for counts over what was streamed for the same minute.
    const bars = [...this.#taken(at), ...asked, ...corrected];
    const days = at >= session.close ? [...this.#days.values()] : [];
    if (days.length > 0) this.#days.clear();
    const deliveries = [
      ...barDeliveries(bars, '1m'),
      ...barDeliveries(days, '1d'),
      ...this.#deliveries.splice(0),
      ...this.#refused.refusals(),
      ...news,
      ...flow,
      ...this.#chains.take(at),
    ];
    this.#refused = refusalTally();
    return { at, since, deliveries };
  }

  /** The streamed bars that are final by an instant; later ones stay. */
  #taken(at: number): VendorBar[] {
    const { taken = [], later = [] } = Object.groupBy(this.#bars, ({ time }) =>
      time + MINUTE_MS > at ? 'later' : 'taken',
    );
    this.#bars = later;
    return taken;
  }

  #isMute(at: number): boolean {
    const { open, close } = this.#of.session;
    const isRegular = at >= open + SILENCE_MS && at <= close;
    return this.#up !== null && isRegular && at - this.#heardAt > SILENCE_MS;
  }

  /** The bars of a hole; `refused` where the vendor gives none, `unknown` where it does not answer now. */
  async #fill(upTo: number, at: number): Promise<VendorBar[] | 'refused' | 'unknown'> {
    const { symbols, session } = this.#of;
    const { live, note } = this.#of.ground;
    const up = this.#up;
    const about = { from: instant(upTo), to: instant(at) };
    const bars = await this.#ask(symbols, Math.max(session.preOpen, upTo - OVERLAP_MS), at);
    if (bars === 'unknown' || (bars === 'refused' && up === null)) return 'unknown';
    this.#whole = up === this.#up ? up : null;
    if (bars === 'refused') {
      // What the plan closes stays closed: the stream goes on behind the gap.
      live.gaps++;
      // A stream that is up at a minute's end has its bars.
      if (at - MINUTE_MS > upTo) noteHole(live, { from: upTo, to: at - MINUTE_MS, isFilled: false });
      note('a gap in the stream cannot be filled', about);
      return bars;
    }
    live.holesFilled++;
    noteHole(live, { from: upTo, to: at, isFilled: true });
    if (this.#whole !== null) note('a hole in the stream was filled', { ...about, bars: bars.length });
    return bars;
  }

  async #correctedBars(at: number): Promise<VendorBar[]> {
    if (this.#corrected.size === 0) return [];
    const symbols = [...this.#corrected].sort();
    this.#corrected.clear();
    const bars = await this.#ask(symbols, this.#of.session.preOpen, at);
    if (typeof bars !== 'string') return bars;
    if (bars === 'unknown') for (const symbol of symbols) this.#corrected.add(symbol);
    return [];
  }

  async #ask(
    symbols: readonly string[],
    from: number,
    at: number,
  ): Promise<VendorBar[] | 'refused' | 'unknown'> {
    const { vendor, ground, signal } = this.#of;
    const span = { interval: '1m', from, to: at - MINUTE_MS } as const;
    const asked = { symbols, ...span, isPast: false, purpose: 'session' } as const;
    try {
      return (await Array.fromAsync(vendor.bars(asked, signal))).flat();
    } catch (error) {
      if (error instanceof VendorAnswer) {
        if (error.status === 403) this.#refused.note('not_in_plan', 'calls', error.message);
        return 'refused';
      }
      if (isCoded(error, 'vendor_unavailable')) {
        ground.note(error.message, {});
        return 'unknown';
      }
      throw error;
    }
  }

  /** Prints and quotes of a hole; `unknown` where the vendor gives none, and their minutes have no order flow. */
  async #ticks(from: number, to: number): Promise<VendorTick[] | 'unknown'> {
    const { vendor, signal } = this.#of;
    if (this.#flow.symbols.length === 0) return [];
    const pages = await answered(Array.fromAsync(vendor.ticks(this.#flow.symbols, from, to, signal)));
    return pages?.flat() ?? 'unknown';
  }

  /** News since the last minute; a vendor that does not answer is asked again a minute later. */
  async #news(): Promise<Delivery[]> {
    const { vendor, symbols, ground, signal } = this.#of;
    const now = ground.clock.now();
    const news: Delivery[] = [];
    try {
      for await (const one of vendor.news(symbols, this.#newsAfter, signal, 'session')) news.push(one);
      this.#newsAfter = now;
    } catch (error) {
      if (!isOfVendor(error)) throw error;
    }
    return news;
  }

  #onMessage(message: VendorMessage): void {
    if (message.kind === 'delivery') {
      const { delivery } = message;
      // A stream that went wrong would fill the memory with what it is refused for.
      if (delivery.kind !== 'refused') this.#deliveries.push(delivery);
      else this.#refused.note(delivery.reason, delivery.where, delivery.example, delivery.count);
    } else if (message.kind === 'corrected') {
      this.#corrected.add(message.symbol);
      if (message.change !== null) this.#flow.change(message.symbol, message.change);
    } else if (message.kind === 'quote') this.#flow.push(message);
    else if (message.kind === 'print') {
      const fault = refusePrint(message);
      if (fault === null) this.#flow.push(message);
      else this.#refused.note(fault, 'stream', JSON.stringify(message));
    } else {
      const { bar, said } = message;
      // Here already: of two bars for one minute the one that cannot be must not replace the other.
      const fault = this.#faultOf(bar);
      if (fault !== null) this.#refused.note(fault, 'stream', JSON.stringify(said));
      else if (message.kind === 'minute') this.#bars.push(bar);
      else this.#days.set(bar.symbol, bar);
      this.#heardAt = this.#now();
    }
  }

  #faultOf({ symbol, time, open, high, low, close, volume }: VendorBar): RefusalReason | null {
    if (!this.#wanted.has(symbol)) return symbol === '' ? 'bad_symbol' : 'unlisted';
    if (Number.isNaN(open)) return 'not_a_number';
    // It would be kept until the clock here gets there.
    if (time > this.#of.ground.clock.now() + SKEW_MAX_MS) return 'not_final';
    return refuseBar(open, high, low, close, Number.isNaN(volume) ? 0 : volume);
  }

  #onState(isUp: boolean, says?: string): void {
    this.#up = isUp ? { since: this.#now() } : null;
    this.#whole = null;
    if (isUp) this.#heardAt = this.#now();
    const { live, note } = this.#of.ground;
    live.isConnected = isUp;
    live.says = isUp ? null : (says ?? null);
    note(says ?? 'the stream runs', {});
  }

  /** By the market's clock, as far as the stream has come. */
  #now(): number {
    return this.#of.ground.clock.now() - this.#of.lagMs;
  }
}

const instant = (at: number): string => new Date(at).toISOString();

/** Bars by symbol, each in ascending time; of two for the same time the later one counts. */
export function barDeliveries(bars: readonly VendorBar[], interval: '1m' | '1d'): Delivery[] {
  return Array.from(
    Map.groupBy(bars, ({ symbol }) => symbol),
    ([symbol, own]): Delivery => {
      const byTime = new Map(own.map((bar) => [bar.time, bar]));
      const rows = [...byTime.values()].sort((a, b) => a.time - b.time);
      const columns = barColumns((name) => Float64Array.from(rows, (bar) => bar[name]));
      return { kind: 'bars', symbol, interval, columns };
    },
  );
}
