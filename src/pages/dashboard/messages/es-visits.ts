/**
 * Español (Argentina): visitas de las páginas públicas, y consultas.
 */

export const visits = {
  title: 'Visitas',
  subtitle: (days: number) => `A las páginas públicas de las propiedades, en los últimos ${days} días.`,
  ofListing: (days: number) => `Visitas de los últimos ${days} días`,
  kinds: {
    views: 'Visitas',
    phone: 'Llamadas',
    whatsapp: 'WhatsApp',
    email: 'Correos',
    shared: 'Veces compartida',
    enquiries: 'Consultas',
  },
  how: 'Cada visitante cuenta una vez por día; si vuelve más tarde, puede contar de nuevo. Se cuenta sin cookies y sin guardar nada de los visitantes; quienes piden que no los rastreen no se cuentan.',
  none: 'Todavía no hay visitas',
  noneText: 'Acá se ven las visitas de las propiedades publicadas y los contactos que generan.',
  chart: {
    succeeded: 'Visitas',
    failed: 'Contactos',
    inDays: (total: string, days: number) =>
      `${total} ${total === '1' ? 'visita o contacto' : 'visitas y contactos'} en ${days} días`,
    day: 'Día',
  },
  csvNote: (most: string) => `Hasta ${most} propiedades, las más visitadas.`,
  seeAll: 'Ver las visitas de todas',
  enquiries: {
    title: 'Consultas de visitantes',
    text: 'Las páginas públicas pueden tener un formulario. Lo que un visitante escribe se manda al correo de la inmobiliaria y no se guarda.',
    label: 'Mostrar el formulario de consultas',
    stuck: (count: number) =>
      count === 1
        ? '1 consulta espera: el servidor de correo todavía no la aceptó.'
        : `${count} consultas esperan: el servidor de correo todavía no las aceptó.`,
    noMail: 'Este servicio todavía no envía correos: el formulario no se muestra.',
  },
}
