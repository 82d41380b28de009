import type { Session } from '../../base/calendar.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { isCoded } from '../../base/errors.ts';
import type { Delivery } from '../../market/feed.ts';
import type { LiveGround } from '../source.ts';
import type { Vendor } from './vendor.ts';
import { VendorAnswer } from './vendor-http.ts';

/** A session of a vendor that is followed. */
export interface Followed {
  readonly vendor: Vendor;
  /** How far its stream runs behind the market. */
  readonly lagMs: number;
  readonly symbols: readonly string[];
  readonly session: Session;
  readonly ground: LiveGround;
  readonly signal: AbortSignal;
}

/** Age at which the chain of a symbol in view is asked for again; a symbol is in view as long after it was asked for. */
const REFRESH_MS = 15 * MINUTE_MS;
/** After the close: options on funds trade a quarter of an hour longer. */
const CLOSED_MS = 16 * MINUTE_MS;

/**
 * The option chains of a running session: in regular hours those of symbols in view, after the close all. They are asked
 * for beside the minutes, one after the other, and each comes with the first minute that knows it.
 */
export class VendorChains {
  readonly #of: Followed;
  /** Symbols with options, by when they were asked for last. */
  readonly #askedAt: Map<string, number>;
  #at = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #ready: Delivery[] = [];
  #fault: unknown = null;

  constructor(of: Followed) {
    this.#of = of;
    this.#askedAt = new Map(of.symbols.map((symbol) => [symbol, Number.NEGATIVE_INFINITY]));
  }

  /** What has come and is known at the end of a minute; what is due then is asked for. */
  take(at: number): Delivery[] {
    if (this.#fault !== null) throw this.#fault;
    this.#at = at;
    const { known = [], later = [] } = Object.groupBy(this.#ready, (delivery) =>
      delivery.kind !== 'chain' || delivery.chain.takenAt <= at ? 'known' : 'later',
    );
    this.#ready = later;
    if (!this.#isAsking) void this.#askForDue();
    return known;
  }

  async #askForDue(): Promise<void> {
    this.#isAsking = true;
    try {
      for (let symbol = this.#due(); symbol !== undefined; symbol = this.#due()) {
        this.#askedAt.set(symbol, this.#at);
        this.#ready.push(...(await this.#ask(symbol)));
      }
    } catch (error) {
      // A vendor that does not answer is asked with the next minute.
      if (isCoded(error, 'vendor_unavailable')) this.#of.ground.note(error.message, {});
      else if (!this.#of.signal.aborted) this.#fault = error;
    }
    this.#isAsking = false;
  }

  async #ask(symbol: string): Promise<readonly Delivery[]> {
    const { vendor, session, ground, signal } = this.#of;
    try {
      const deliveries = await vendor.chain(symbol, session, ground.calendar, signal);
      if (deliveries.length === 0) this.#askedAt.delete(symbol);
      return deliveries;
    } catch (error) {
      if (!(error instanceof VendorAnswer)) throw error;
      if (error.status === 401 || error.status === 403) {
        this.#askedAt.clear();
        ground.note(`${vendor.title} gives this key no option chains: it ${error.message}`, {});
      } else this.#askedAt.delete(symbol);
      return [];
    }
  }

  /** The symbol whose chain is the oldest of those that are due. */
  #due(): string | undefined {
    const { session, ground } = this.#of;
    const { open, close } = session;
    const at = this.#at;
    if (at <= open || (at > close && at < close + CLOSED_MS)) return undefined;
    const before = at > close ? close + CLOSED_MS : at - REFRESH_MS + 1;
    const inView = ([symbol]: readonly [string, number]): boolean =>
      at > close || (ground.viewedAt.get(symbol) ?? 0) > ground.clock.now() - REFRESH_MS;
    let due: readonly [string, number] | undefined;
    for (const one of this.#askedAt) {
      if (one[1] < before && inView(one) && (due === undefined || one[1] < due[1])) due = one;
    }
    return due?.[0];
  }
}
