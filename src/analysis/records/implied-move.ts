/**
 * The move that an expiration's premium implies for the time of a trade, as a share of the price: one deviation, S x IV x
 * sqrt(T), of the sessions that are held. Its variance lies evenly on the sessions up to the expiration. A price without
 * drift passes it equally often whatever expiration is taken, which a break-even of the premium would not give: the
 * nearer expiration asks for more of it.
 *
 * @param volatility at the money, decimal
 * @param years from the entry to the expiration
 * @param sessions of that time
 * @param holding sessions of the trade, which ends with the contracts at the latest
 */
export function impliedMove(volatility: number, years: number, sessions: number, holding: number): number {
  return volatility * Math.sqrt(sessions > holding ? (years * holding) / sessions : years);
}
