/** Español (Argentina): lo que una inmobiliaria cuenta de sí misma, y los enlaces para dejar de recibir correos. */
const days = ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo']

/** `9:30`, `13` */
const hour = (time: string) => time.replace(/^0/, '').replace(/:00$/, '')

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const agencySpanish = {
  aboutAgency: (agency: string) => `Sobre ${agency}`,
  office: 'Oficina',
  hours: 'Horarios de atención',
  days: (first: number, last: number) => {
    const [from = '', until = ''] = [days[first], days[last]]
    if (first === last) return capital(from)
    return capital(last === first + 1 ? `${from} y ${until}` : `${from} a ${until}`)
  },
  spans: (spans: readonly (readonly [string, string])[]) =>
    `${spans.map(([from, until]) => `${hour(from)} a ${hour(until)}`).join(' y ')} h`,
  licence: (college: string, number: string) => `Matrícula ${college} ${number}`,
  broker: (name: string) => `Corredor responsable: ${name}`,
  stop: {
    title: '¿Dejar de recibir estos correos?',
    ask: {
      changes: (email: string) =>
        `Vamos a dejar de avisar a ${email} los cambios de estado de las propiedades.`,
      key_reminders: (email: string) => `Vamos a dejar de recordar a ${email} qué claves están por vencer.`,
    },
    press: 'Dejar de recibirlos',
    done: 'Listo',
    stopped: {
      changes: (email: string) => `${email} ya no recibe correos sobre cambios de estado de las propiedades.`,
      key_reminders: (email: string) => `${email} ya no recibe recordatorios de claves.`,
    },
    again: 'Volver a activarlos en el panel',
  },
  logoOf: (agency: string) => `Logo de ${agency}`,
}
